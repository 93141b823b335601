package dev.callbound.journal;

import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call whose process died while it was being made, and that can go on: its parameters have been
 * kept, its run has time left, and it does nothing twice. That is a write whose repeat would be
 * recognised; and, where a client was told to come back for it, a read, or a write of which nothing
 * can have run. It is open in the journal, and so is its last attempt if that had not ended.
 *
 * @param resend the parameters as JSON, as the client had sent them
 * @param attempts those that were begun, in order; none only where a client was told to come back
 * @param inherited the doubt about the call that it follows; null when it follows none, or nothing
 *     was in doubt about that one any more
 */
public record Interrupted(
    CallRecord call,
    String resend,
    List<AttemptRecord> attempts,
    Reason.@Nullable Unknown inherited) {

  public Interrupted {
    attempts = List.copyOf(attempts);
  }

  /** Whether the last attempt was going on; else the process died in the wait after it. */
  public boolean amidAttempt() {
    return !attempts.isEmpty() && attempts.getLast().end() == null;
  }

  /**
   * Why it may have happened, by the attempts that ended; null when none of them leaves a doubt,
   * and for a read, which may happen as often as it likes.
   */
  public Reason.@Nullable Unknown doubt() {
    return call.effect() == Effect.READ ? null : doubt(call.recognition(), inherited, attempts);
  }

  /**
   * Whether it has already waited once because the provider asked for it. Taken to be so wherever
   * the provider said not now, since the record does not tell whether it named a time.
   */
  public boolean waitedAsTold() {
    return attempts.stream()
        .map(AttemptRecord::end)
        .anyMatch(
            end ->
                end != null
                    && end.decision().action() == Action.RETRY
                    && end.failure() != null
                    && end.failure().kind().equals("limited"));
  }

  /**
   * Why a write may have happened, by its attempts that ended: the first doubt stays, as it does in
   * the loop. Only a check takes it away: where there is one, nothing is tried again before it has
   * found that the effect is not there.
   */
  public static Reason.@Nullable Unknown doubt(
      Recognition recognition, Reason.@Nullable Unknown inherited, List<AttemptRecord> attempts) {
    boolean checked = recognition == Recognition.CHECK;
    Reason.Unknown doubt = checked && !attempts.isEmpty() ? null : inherited;
    for (AttemptRecord attempt : attempts) {
      AttemptEnd end = attempt.end();
      if (end == null) {
        continue;
      }
      FailureRecord failure = end.failure();
      if (checked && end.decision().action() == Action.RETRY) {
        doubt = null;
      } else if (doubt == null && failure != null) {
        doubt = failure.doubt();
      }
    }
    return doubt;
  }
}
