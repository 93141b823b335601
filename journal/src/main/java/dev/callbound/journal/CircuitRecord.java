package dev.callbound.journal;

import dev.callbound.policy.Circuit;
import dev.callbound.policy.Entrance;
import java.time.Instant;

/**
 * What keeps calls from a server or from one of its tools, as it is remembered.
 *
 * @param tool {@link Entrance#SERVER} where it is about the server as a whole
 * @param changedAt when that came about; whole milliseconds
 * @param until when calls pass again, or one of them may try; whole milliseconds
 * @param failure the kind of failure that brought it about; empty where none is known
 * @param detail the same for people; empty where none is known
 * @param number grows with every change: of two records of the same the greater one holds
 */
public record CircuitRecord(
    String server,
    String tool,
    Entrance.Bar bar,
    Circuit.State state,
    Instant changedAt,
    Instant until,
    String failure,
    String detail,
    long number) {
  public CircuitRecord {
    changedAt = Check.millis(changedAt);
    until = Check.millis(until);
  }

  /** Whether it keeps calls out at that time, or all but one that tries. */
  public boolean isShut(Instant now) {
    return switch (bar) {
      case FAILURES, CREDENTIALS -> state != Circuit.State.CLOSED;
      case LIMIT -> state != Circuit.State.CLOSED && until.isAfter(now);
    };
  }
}
