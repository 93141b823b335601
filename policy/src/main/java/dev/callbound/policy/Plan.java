package dev.callbound.policy;

import java.time.Duration;

/**
 * How a call will be made: computed once, recorded, and not revisited inside the loop.
 *
 * @param timeout how long one attempt may take; more than zero
 * @param call when the whole call is over, its waits included
 * @param run when the run is over that the call belongs to
 * @param attempts how many attempts the call may make; at least 1
 */
public record Plan(
    Effect effect,
    Recognition recognition,
    Duration timeout,
    Deadline call,
    Deadline run,
    int attempts) {

  public Plan {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be positive: " + timeout);
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1: " + attempts);
    }
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
