package dev.callbound.policy;

import org.jspecify.annotations.Nullable;

/**
 * What has happened of a call before this process makes it: nothing, as a rule. The rest is what a
 * repeat or a restart finds in the journal. Immutable.
 *
 * @param attempts how many attempts of this call have been begun; zero or more
 * @param doubt why something of it may have run, in an attempt of this call or in the call that it
 *     follows; null while nothing may have. What {@code pending} adds is not in it
 * @param waitedAsTold whether it has already waited a time that the provider named
 * @param pending how the last attempt failed, where it was begun and its end is not on record; null
 *     where there is no such attempt. Never a tool's own error, which would be on record
 */
public record Past(
    int attempts, Reason.@Nullable Unknown doubt, boolean waitedAsTold, @Nullable Failure pending) {

  /** That of a call which is made for the first time. */
  public static final Past NOTHING = new Past(0, null, false, null);

  public Past {
    if (attempts < 0) {
      throw new IllegalArgumentException("attempts must not be negative: " + attempts);
    }
    if (pending != null && attempts == 0) {
      throw new IllegalArgumentException(
          "an attempt that is pending is one of the attempts: " + pending.kind());
    }
    if (pending instanceof Failure.ToolError) {
      throw new IllegalArgumentException("a pending attempt has no answer: " + pending.kind());
    }
  }

  /**
   * That of a call which follows one that ended {@code unknown}: it has attempts of its own, and
   * inherits the doubt.
   */
  public static Past unknown(Reason.Unknown doubt) {
    return new Past(0, doubt, false, null);
  }

  /**
   * That of a call which a dead process left open.
   *
   * @param pending {@link Failure.WorkerDied} where the last attempt was begun and not ended; null
   *     where all are ended, and the process died before the next one
   */
  public static Past died(
      int attempts,
      Reason.@Nullable Unknown doubt,
      boolean waitedAsTold,
      @Nullable Failure pending) {
    return new Past(attempts, doubt, waitedAsTold, pending);
  }
}
