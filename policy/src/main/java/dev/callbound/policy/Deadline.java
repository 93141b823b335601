package dev.callbound.policy;

import java.time.Duration;

/**
 * A point in time after which nobody waits any more.
 *
 * <p>It is measured on the monotonic clock of a {@link Time}, so a wall clock that is set forward
 * or back moves no deadline. Immutable.
 *
 * @param atNanos the reading of {@link Time#nanos()} at which it has passed
 */
public record Deadline(long atNanos) {
  /** The longest timeout that is told apart from a longer one: about 100 years. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /**
   * The deadline that lies {@code timeout} after now.
   *
   * @param timeout zero or more; anything over a hundred years counts as a hundred years
   * @throws IllegalArgumentException if the timeout is negative
   */
  public static Deadline after(Duration timeout, Time time) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative: " + timeout);
    }
    Duration bounded = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
    return new Deadline(time.nanos() + bounded.toNanos());
  }

  /** What is left until the deadline; zero once it has passed, never negative. */
  public Duration left(Time time) {
    long nanos = atNanos - time.nanos();
    return nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
  }

  /** Whether nothing is left. */
  public boolean passed(Time time) {
    return atNanos - time.nanos() <= 0;
  }

  /** Whether this deadline passes before the other. */
  public boolean isBefore(Deadline other) {
    return atNanos - other.atNanos < 0;
  }

  /** The one of the two that passes first. */
  public Deadline earlier(Deadline other) {
    return other.isBefore(this) ? other : this;
  }
}
