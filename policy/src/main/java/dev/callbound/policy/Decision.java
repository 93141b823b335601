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
    /** It succeeded. */
    OK,
    /** It is tried again after the wait. */
    RETRY,
    /** The call ends with nothing in doubt. */
    STOP,
    /** The call ends, and may have taken effect. */
    UNKNOWN
  }
}
