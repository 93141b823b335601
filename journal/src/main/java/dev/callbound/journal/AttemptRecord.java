package dev.callbound.journal;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Money;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt as it is remembered.
 *
 * @param number from 1; anything after the first is a retry
 * @param timeout how long it was given; kept in whole milliseconds
 * @param limitedBy which of the three limits made the timeout what it is
 * @param startedAt whole milliseconds
 * @param held how long it waited for its turn before that; zero or more, in whole milliseconds
 * @param cost what is paid for it: nothing once it is known that the tool never saw it
 * @param end null while it is going on
 * @param pulse what was seen of the tool before its end; null of an attempt that did not last
 */
public record AttemptRecord(
    int number,
    Duration timeout,
    Attempt.Limit limitedBy,
    Instant startedAt,
    Duration held,
    Money cost,
    @Nullable AttemptEnd end,
    @Nullable Pulse pulse) {

  public AttemptRecord {
    if (number < 1) {
      throw new IllegalArgumentException("number must be at least 1: " + number);
    }
    timeout = Duration.ofMillis(timeout.toMillis());
    held = Duration.ofMillis(held.toMillis());
    startedAt = Check.millis(startedAt);
  }

  /** One that did not wait for its turn, and costs nothing. */
  public AttemptRecord(
      int number,
      Duration timeout,
      Attempt.Limit limitedBy,
      Instant startedAt,
      @Nullable AttemptEnd end) {
    this(number, timeout, limitedBy, startedAt, Duration.ZERO, Money.ZERO, end, null);
  }

  /** An attempt that is about to begin. */
  public static AttemptRecord of(Attempt attempt, Instant startedAt, Duration held, Money cost) {
    return new AttemptRecord(
        attempt.number(),
        attempt.timeout(),
        attempt.limitedBy(),
        startedAt,
        held,
        cost,
        null,
        null);
  }
}
