package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way to the next attempt: the wait, the gate, and whether it still makes sense to begin.
 * Belongs to one call.
 */
final class Approach {
  /** Where the way has led. */
  sealed interface Arrival {
    /** The attempt may begin, now. */
    record There(Gate.Pass pass) implements Arrival {}

    /** It may not. */
    record Never(Reason.Stopped reason, String why) implements Arrival {}
  }

  private final Plan plan;
  private final Gate gate;
  private final Time time;

  Approach(Plan plan, Gate gate, Time time) {
    this.plan = plan;
    this.gate = gate;
    this.time = time;
  }

  /**
   * Waits, and goes through the gate. Where that was interrupted, the interrupt flag is set on
   * return.
   *
   * @param pause the wait before the attempt; null before the first, which only waits its turn
   * @param inDoubt whether the attempt would repeat one that may have run, and so must begin while
   *     the repeat is recognised
   */
  Arrival begin(@Nullable Duration pause, boolean inDoubt) {
    try {
      if (pause != null) {
        time.sleep(pause);
        // A sleep may take longer than asked, on a busy machine or one that was suspended.
        Arrival.Never late = tooLate(inDoubt);
        if (late != null) {
          return late;
        }
      }
      return switch (gate.enter(plan.end())) {
        case Gate.Admission.Refused(Reason.Stopped reason, String why, _) ->
            new Arrival.Never(reason, why);
        case Gate.Admission.Admitted(Gate.Pass pass) -> {
          Arrival.Never late = tooLate(inDoubt);
          if (late != null) {
            pass.unused();
            yield late;
          }
          yield new Arrival.There(pass);
        }
      };
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Arrival.Never(
          Reason.Stopped.CANCELLED,
          pause == null
              ? "cancelled while waiting for its turn"
              : "cancelled while waiting to try again");
    }
  }

  private Arrival.@Nullable Never tooLate(boolean inDoubt) {
    if (plan.end().passed(time)) {
      return new Arrival.Never(
          Reason.Stopped.DEADLINE_EXCEEDED, "the deadline passed during the wait");
    }
    return inDoubt && plan.recognition(time) == Recognition.NONE
        ? new Arrival.Never(
            Reason.Stopped.NO_TIME_LEFT, "the provider forgot the key during the wait")
        : null;
  }
}
