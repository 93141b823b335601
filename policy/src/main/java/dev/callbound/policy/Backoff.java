package dev.callbound.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before trying again when the provider named no time: exponential, with full
 * jitter above a floor.
 *
 * <p>The wait before retry {@code n} is drawn evenly from {@code base} to {@code base * 2^n}, and
 * is never over {@code cap}. The floor keeps the unlucky draw from being a tight loop; the jitter
 * keeps many callers from coming back at the same moment. Immutable.
 *
 * @param base the floor, and the unit of growth; more than zero
 * @param cap the longest wait; at least the base, at most a day
 */
public record Backoff(Duration base, Duration cap) {
  /** No wait between two attempts is longer. */
  private static final Duration LONGEST = Duration.ofDays(1);

  /** From 250 ms, at most 20 s. */
  public static final Backoff STANDARD =
      new Backoff(Duration.ofMillis(250), Duration.ofSeconds(20));

  public Backoff {
    if (cap.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("cap must be at most " + LONGEST + ": " + cap);
    }
    if (base.isNegative() || base.isZero()) {
      throw new IllegalArgumentException("base must be positive: " + base);
    }
    if (cap.compareTo(base) < 0) {
      throw new IllegalArgumentException("cap must be at least the base " + base + ": " + cap);
    }
  }

  /**
   * The wait before a retry.
   *
   * @param retry which retry, from 1
   */
  public Duration before(int retry, RandomGenerator random) {
    if (retry < 1) {
      throw new IllegalArgumentException("retry must be at least 1: " + retry);
    }
    long floor = base.toNanos();
    // As long as there are this many zeros in front, doubling that often does not overflow.
    boolean fits = retry < Long.numberOfLeadingZeros(floor);
    long ceiling = fits ? Math.min(floor << retry, cap.toNanos()) : cap.toNanos();
    return Duration.ofNanos(ceiling > floor ? random.nextLong(floor, ceiling + 1) : floor);
  }
}
