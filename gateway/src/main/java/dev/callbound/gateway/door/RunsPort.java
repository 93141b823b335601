package dev.callbound.gateway.door;

import dev.callbound.gateway.mcp.JsonObject;
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
   * @param key the caller's own name for the request, under which it may be sent again; null for
   *     none
   * @param client who the caller says that it is, for people; null where it does not say
   * @param name the caller's own name for it; null for none
   * @param deadline how long it may take; null for the configured default
   * @param retries how many retries its calls may make together; null for the configured default
   * @param spend how much its calls may spend together, a decimal number such as 0.25; null for the
   *     configured default
   * @param expected what it is expected to bring about, each as {@code KIND:WHAT}
   */
  record Wish(
      String principal,
      @Nullable String key,
      @Nullable String client,
      @Nullable String name,
      @Nullable Duration deadline,
      @Nullable Integer retries,
      @Nullable String spend,
      List<String> expected) {
    public Wish {
      expected = List.copyOf(expected);
    }
  }

  /**
   * A run.
   *
   * @param name the name that a client gave it; null for none
   * @param deadline when it must be over
   * @param retries how many retries its calls may make together
   * @param retriesUsed how many they have made
   * @param spend how much its calls may spend together, a decimal number such as 0.25; null for as
   *     much as they like
   * @param spent what their attempts have cost, a decimal number; null where there is neither a
   *     limit nor a cost
   * @param calls how many calls it has made
   * @param ended when it was over; null while it runs
   * @param reason why it was cancelled or stopped, in words; null where there is nothing to say
   * @param outputs what it is expected to bring about; empty where nothing is
   */
  record Run(
      String id,
      @Nullable String name,
      State state,
      Instant created,
      Instant deadline,
      int retries,
      int retriesUsed,
      @Nullable String spend,
      @Nullable String spent,
      long calls,
      @Nullable Instant ended,
      @Nullable String reason,
      List<Output> outputs) {
    public Run {
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * Something that a run is expected to bring about.
   *
   * @param output what it is, as it was asked for
   * @param there whether it was there when it was last looked for
   * @param since from when on that is so
   * @param detail why it does not count as there; null when it does, or was not looked for yet
   * @param isFinal whether it was looked for after the run was over
   */
  record Output(
      String output, boolean there, Instant since, @Nullable String detail, boolean isFinal) {}

  /** What came of asking for a run. */
  sealed interface Opened {
    /** It runs. */
    record Running(Run run) implements Opened {}

    /** It was asked for before; this is that run as it is now, which may be over. */
    record Found(Run run) implements Opened {}

    /** What is asked for makes no sense, or is not allowed. */
    record Invalid(String message) implements Opened {}

    /** The key stands for another request. */
    record KeyReused(String message) implements Opened {}

    /**
     * It was not opened, as when a run of that name was opened for something else.
     *
     * @param code a word for programs, such as {@code name_taken}
     */
    record Refused(String code, String message) implements Opened {}
  }

  /**
   * Something that happened in a run.
   *
   * @param number from 1, without a gap within the run
   * @param kind a word for programs, such as {@code call_ended}
   * @param data what more is known of it
   */
  record Event(long number, Instant at, String kind, JsonObject data) {}

  /**
   * Events that follow one another.
   *
   * @param last whether nothing is to be expected after these: the run is over, none of its calls
   *     is going on, and none of them is unknown
   */
  record Events(List<Event> events, boolean last) {
    public Events {
      events = List.copyOf(events);
    }
  }

  /** Opens a run, or finds the one that was asked for before. */
  Opened open(Wish wish);

  /** The run of that id; empty where the principal has none. */
  Optional<Run> find(String principal, String id);

  /**
   * The next events of a run.
   *
   * @param after the number of the last one that the caller knows; zero for none
   * @param most how many at once
   * @return empty where the principal has no run of that id
   */
  Optional<Events> events(String principal, String id, long after, int most);

  /**
   * The newest runs, newest first.
   *
   * @param state null for runs in any state
   */
  List<Run> list(String principal, int limit, @Nullable State state);

  /**
   * Ends a run whose work is finished. What still goes on within it ends with it. A run that is
   * over stays as it is.
   *
   * @param reason how it finished, in the caller's words; null where it gave none
   * @return the run as it is now; empty where the principal has none of that id
   */
  Optional<Run> finish(String principal, String id, @Nullable String reason);

  /**
   * Cancels a run: its calls and their waits end at once. A run that is over stays as it is.
   *
   * @param reason why, in the caller's words; null where it gave none
   * @return the run as it is now; empty where the principal has none of that id
   */
  Optional<Run> cancel(String principal, String id, @Nullable String reason);
}
