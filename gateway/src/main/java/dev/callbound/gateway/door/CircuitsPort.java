package dev.callbound.gateway.door;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keeps calls from the servers, as a door shows it to programs: the same to all of them.
 * Thread-safe; blocks for as long as the journal takes.
 */
public interface CircuitsPort {
  /**
   * What keeps calls from a server, or from one of its tools.
   *
   * @param tool null where it is about the server as a whole
   * @param bar what it is, in one word: too many failures, refused credentials, or a limit
   * @param state {@code open} or {@code half_open}
   * @param since when that came about
   * @param until when calls pass again, or one of them may try
   * @param failure the kind of failure that brought it about; null where it is not known
   */
  record Circuit(
      String server,
      @Nullable String tool,
      String bar,
      String state,
      Instant since,
      Instant until,
      @Nullable String failure) {}

  /**
   * How many attempts a server has now, and how many calls wait for it.
   *
   * @param atOnce how many attempts it gets at once; null for any number
   */
  record Crowd(String server, int inFlight, int waiting, @Nullable Integer atOnce) {}

  /** What keeps calls out now. */
  List<Circuit> circuits();

  /** How full the servers are, in the order of the configuration. */
  List<Crowd> crowds();
}
