package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was decided after an attempt, and why: a line of the record.
 *
 * @param pause how long the call waits before the next attempt; null unless it tries again
 * @param why one sentence for people
 */
public record Decision(Action action, @Nullable Duration pause, String why) {
  /** What can follow an attempt. */
  public enum Action {
    /** It ends well: the tool answered, or a check found the effect. */
    OK,
    /** It is tried again after the wait. */
    RETRY,
    /** The call ends with nothing in doubt. */
    STOP,
    /** The call ends, and may have taken effect. */
    UNKNOWN
  }

  /** The one after an attempt that the tool answered. */
  static final Decision ANSWERED = new Decision(Action.OK, null, "the tool answered");

  public Decision {
    if ((pause != null) != (action == Action.RETRY)) {
      throw new IllegalArgumentException(
          "a pause comes with RETRY and with nothing else: " + action + ", " + pause);
    }
    if (pause != null && pause.isNegative()) {
      throw new IllegalArgumentException("pause must not be negative: " + pause);
    }
  }

  static Decision retry(Duration pause, String why) {
    return new Decision(Action.RETRY, pause, why);
  }

  static Decision ending(Outcome<?> outcome, String why) {
    Action action =
        switch (outcome) {
          case Outcome.Ok<?> _ -> Action.OK;
          case Outcome.Stopped<?> _ -> Action.STOP;
          case Outcome.Unknown<?> _ -> Action.UNKNOWN;
        };
    return new Decision(action, null, why);
  }
}
