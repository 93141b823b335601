package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a call will be made: computed once, recorded, and not revisited inside the loop.
 *
 * @param timeout how long one attempt may take; more than zero
 * @param call when the whole call is over, its waits included
 * @param run when the run is over that the call belongs to
 * @param attempts how many attempts the call may make; at least 1
 * @param keyUntil when the provider forgets the key: from then on it recognises nothing. Null where
 *     it never forgets, or where there is no key
 */
public record Plan(
    Effect effect,
    Recognition recognition,
    Duration timeout,
    Deadline call,
    Deadline run,
    int attempts,
    @Nullable Deadline keyUntil) {

  public Plan {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be positive: " + timeout);
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1: " + attempts);
    }
    if (keyUntil != null && recognition != Recognition.KEY) {
      throw new IllegalArgumentException(
          "only a key can be forgotten, and the recognition is " + recognition);
    }
  }

  /** A plan whose key, if there is one, is never forgotten. */
  public Plan(
      Effect effect,
      Recognition recognition,
      Duration timeout,
      Deadline call,
      Deadline run,
      int attempts) {
    this(effect, recognition, timeout, call, run, attempts, null);
  }

  /** How a repeat that is sent now would be recognised: not at all by a key that is forgotten. */
  Recognition recognition(Time time) {
    return recognition == Recognition.KEY && keyUntil != null && keyUntil.passed(time)
        ? Recognition.NONE
        : recognition;
  }

  /** When nothing of this call may go on any more. */
  Deadline end() {
    return call.earlier(run);
  }

  /** An attempt that begins now: its deadline is the least of the tool's, the call's, the run's. */
  Attempt attempt(int number, Time time) {
    Deadline tool = Deadline.after(timeout, time);
    if (run.isBefore(tool) && !call.isBefore(run)) {
      return new Attempt(number, run, run.left(time), Attempt.Limit.RUN);
    }
    return call.isBefore(tool)
        ? new Attempt(number, call, call.left(time), Attempt.Limit.CALL)
        : new Attempt(number, tool, timeout, Attempt.Limit.TOOL);
  }
}
