package dev.callbound.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Whether another attempt is paid for: out of the call's attempts, the time that is left, and the
 * retries and the money of the run. It is asked before the wait begins, so the last attempt never
 * pays for a backoff that it can't use.
 *
 * <p>The retry is taken last: whatever else speaks against the attempt leaves the run's budget as
 * it was. Belongs to one call.
 */
final class Allowance {
  /** Whether the attempt may be made. */
  sealed interface Answer {
    /** Yes, after a wait; the attempt has been paid for. */
    record Granted(Duration pause) implements Answer {}

    /** No, and nothing was taken. */
    record Denied(Reason.Stopped reason, String why) implements Answer {}
  }

  private final Plan plan;
  private final Means means;
  private final Backoff backoff;
  private final Time time;
  private final RandomGenerator random;

  Allowance(Plan plan, Means means, Backoff backoff, Time time, RandomGenerator random) {
    this.plan = plan;
    this.means = means;
    this.backoff = backoff;
    this.time = time;
    this.random = random;
  }

  /**
   * Asks for the attempt after the one that failed.
   *
   * @param number the attempt that failed, from 1
   * @param failure how it failed; null where another process knew
   * @param told the wait that the provider named, kept exactly; null to back off
   * @param inDoubt whether the attempt would repeat one that may have run, and so must begin while
   *     the provider knows the key
   */
  Answer afterAttempt(
      int number, @Nullable Failure failure, @Nullable Duration told, boolean inDoubt) {
    if (number >= plan.attempts()) {
      return new Answer.Denied(noAttemptLeft(failure), "attempt " + number + " was the last");
    }
    Duration left = plan.end().left(time);
    if (left.isZero()) {
      return new Answer.Denied(Reason.Stopped.DEADLINE_EXCEEDED, "the deadline has passed");
    }
    Duration pause = told != null ? told : backoff.before(number, random);
    if (pause.compareTo(left) >= 0) {
      return new Answer.Denied(
          Classifier.saysNotNow(failure)
              ? Reason.Stopped.RATE_LIMITED
              : Reason.Stopped.NO_TIME_LEFT,
          "a wait of %d ms does not fit the %d ms that are left, so it was not begun"
              .formatted(pause.toMillis(), left.toMillis()));
    }
    Deadline keyUntil = plan.keyUntil();
    if (inDoubt && keyUntil != null && pause.compareTo(keyUntil.left(time)) >= 0) {
      return new Answer.Denied(
          Reason.Stopped.NO_TIME_LEFT,
          "the provider would have forgotten the key after a wait of %d ms, so it was not begun"
              .formatted(pause.toMillis()));
    }
    Answer.Denied tooDear = pay();
    if (tooDear != null) {
      return tooDear;
    }
    if (!means.retries().take()) {
      means.spend().giveBack(means.price());
      return new Answer.Denied(
          Reason.Stopped.RETRY_BUDGET_SPENT,
          "the run has used all of its " + means.retries().limit() + " retries");
    }
    return new Answer.Granted(pause);
  }

  /** Asks for the first attempt, which is no retry and needs no wait. */
  Answer first() {
    Answer.Denied tooDear = pay();
    return tooDear == null ? new Answer.Granted(Duration.ZERO) : tooDear;
  }

  /**
   * Gives back what was taken for an attempt that will not begin after all.
   *
   * @param number which attempt, from 1
   */
  void notBegun(int number) {
    means.spend().giveBack(means.price());
    if (number > 1) {
      means.retries().giveBack();
    }
  }

  /**
   * The attempt is over: what never got as far as the tool costs nothing.
   *
   * @param failure how it failed; null when it succeeded
   */
  void made(@Nullable Failure failure) {
    if (failure != null && failure.neverArrived()) {
      means.spend().giveBack(means.price());
    }
  }

  private Answer.@Nullable Denied pay() {
    return means.spend().take(means.price())
        ? null
        : new Answer.Denied(
            Reason.Stopped.SPEND_EXHAUSTED, Wording.tooDear(means.spend(), means.price()));
  }

  private Reason.Stopped noAttemptLeft(@Nullable Failure failure) {
    if (Classifier.saysNotNow(failure)) {
      return Reason.Stopped.RATE_LIMITED;
    }
    return failure instanceof Failure.TimedOut && plan.attempts() == 1
        ? Reason.Stopped.DEADLINE_EXCEEDED
        : Reason.Stopped.RETRIES_EXHAUSTED;
  }
}
