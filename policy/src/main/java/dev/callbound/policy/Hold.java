package dev.callbound.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A wait that a provider named to one caller, kept by all of them: nobody else has to find out.
 *
 * <p>When it is over, the first who comes goes at once, and the others at times drawn from the next
 * few seconds. Otherwise all that were held would arrive in the same moment, and be told to wait
 * again.
 *
 * <p>Not thread-safe.
 */
final class Hold {
  /** A longer wait is believed for so long, and then found out about again. */
  static final Duration LONGEST = Duration.ofHours(1);

  /** Those who were held are let go over a time as long as the wait, but at least ... */
  static final Duration LEAST_SPREAD = Duration.ofSeconds(2);

  /** ... and at most this. */
  static final Duration MOST_SPREAD = Duration.ofSeconds(10);

  private static final Duration WORTH_TELLING = Duration.ofSeconds(1);

  /**
   * When somebody is let go.
   *
   * @param of the number of the wait for which it was drawn
   */
  record Turn(Deadline at, long of) {}

  private final Time time;
  private final RandomGenerator random;
  private boolean on;
  private boolean someoneWent;
  private long untilNanos;
  private long spreadNanos;

  /** Counts the waits, so that a turn can tell whether there has been another since. */
  private long number;

  Hold(Time time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /**
   * A provider has named a wait. The longest counts.
   *
   * @return whether that is worth telling: many who are told the same in the same moment are not
   */
  boolean told(Duration wait) {
    Duration believed = wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
    Duration before = left();
    if (believed.compareTo(before) <= 0) {
      return false;
    }
    long longest = Math.min(believed.toNanos(), MOST_SPREAD.toNanos());
    on = true;
    someoneWent = false;
    untilNanos = time.nanos() + believed.toNanos();
    spreadNanos = Math.max(longest, LEAST_SPREAD.toNanos());
    number++;
    return before.isZero() || believed.minus(before).compareTo(WORTH_TELLING) > 0;
  }

  /** What is left of the wait; zero when it is over, though some may not have been let go yet. */
  Duration left() {
    return on ? new Deadline(untilNanos).left(time) : Duration.ZERO;
  }

  /**
   * When somebody who asks now is let go.
   *
   * @param had what it was told when it asked before; null the first time
   * @return null for now
   */
  @Nullable Turn turn(@Nullable Turn had) {
    long now = time.nanos();
    long lastNanos = untilNanos + spreadNanos;
    on = on && now - lastNanos < 0;
    if (!on) {
      return null;
    }
    boolean over = now - untilNanos >= 0;
    if (had != null && had.of == number) {
      someoneWent |= had.at.passed(time);
      return had.at.passed(time) ? null : had;
    }
    if (over && !someoneWent) {
      someoneWent = true;
      return null;
    }
    long from = over ? now : untilNanos;
    return new Turn(new Deadline(from + random.nextLong(lastNanos - from + 1)), number);
  }

  /** Whether it holds nobody. */
  boolean isOver() {
    return !on || time.nanos() - (untilNanos + spreadNanos) >= 0;
  }

  /** Forgets it. */
  void reset() {
    on = false;
    number++;
  }
}
