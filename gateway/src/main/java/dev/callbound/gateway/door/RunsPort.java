package dev.callbound.gateway.door;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The runs, as a door shows them to programs. A principal sees its own runs only. Thread-safe;
 * blocks for as long as the journal takes.
 */
public interface RunsPort {
  /** What has become of a run. */
  enum State {
    RUNNING,
    DONE,
    STOPPED,
    CANCELLED,
    EXPIRED,
    UNKNOWN;

    /** The name on the wire. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A run that somebody asks for.
   *
   * @param name the caller's own name for it; null for none
   * @param deadline how long it may take; null for the configured default
   * @param retries how many retries its calls may make together; null for the configured default
   */
  record Wish(
      String principal,
      @Nullable String name,
      @Nullable Duration deadline,
      @Nullable Integer retries) {}

  /**
   * A run.
   *
   * @param name the name that a client gave it; null for none
   * @param deadline when it must be over
   * @param retries how many retries its calls may make together
   * @param retriesUsed how many they have made
   * @param calls how many calls it has made
   * @param ended when it was over; null while it runs
   * @param reason why it was cancelled or stopped, in words; null where there is nothing to say
   */
  record Run(
      String id,
      @Nullable String name,
      State state,
      Instant created,
      Instant deadline,
      int retries,
      int retriesUsed,
      long calls,
      @Nullable Instant ended,
      @Nullable String reason) {}

  /** What came of asking for a run. */
  sealed interface Opened {
    /** It runs. */
    record Running(Run run) implements Opened {}

    /**
     * It was not opened, as when a run of that name is running.
     *
     * @param code a word for programs, such as {@code name_taken}
     */
    record Refused(String code, String message) implements Opened {}
  }

  /** Opens a run. */
  Opened open(Wish wish);

  /** The run of that id; empty where the principal has none. */
  Optional<Run> find(String principal, String id);

  /**
   * The newest runs, newest first.
   *
   * @param state null for runs in any state
   */
  List<Run> list(String principal, int limit, @Nullable State state);

  /**
   * Cancels a run: its calls and their waits end at once. A run that is over stays as it is.
   *
   * @param reason why, in the caller's words; null where it gave none
   * @return the run as it is now; empty where the principal has none of that id
   */
  Optional<Run> cancel(String principal, String id, @Nullable String reason);
}
