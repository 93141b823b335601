package dev.callbound.gateway.cli;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.TaskRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call and all that is recorded about it.
 *
 * @param arguments as they were recorded, or as they are kept until it is certain how the call
 *     ended; null where there is but a digest
 * @param run the run that it belongs to; null if it is gone
 * @param followed the earlier call whose truth it was made to learn; null if there was none, or it
 *     is gone
 * @param task what is known of its going on without its client; null if it did not
 * @param approval what is known of its waiting for a person; null if it did not
 * @param follower the latest call that was made to learn the truth about this one; null if there is
 *     none
 */
record CallHistory(
    CallRecord call,
    @Nullable String arguments,
    List<AttemptRecord> attempts,
    List<RepeatRecord> repeats,
    List<Divergence> divergences,
    @Nullable RunRecord run,
    @Nullable TaskRecord task,
    @Nullable ApprovalRecord approval,
    @Nullable CallRecord followed,
    @Nullable CallRecord follower) {

  static CallHistory of(JournalReader reader, CallRecord call) {
    String follows = call.follows();
    String key = call.key();
    return new CallHistory(
        call,
        call.arguments() != null ? call.arguments() : reader.resend(call.id()).orElse(null),
        reader.attemptsOf(call.id()),
        reader.repeatsOf(call.id()),
        reader.divergencesOf(call.id()),
        reader.run(call.run()).orElse(null),
        reader.tasks().task(call.id()).orElse(null),
        reader.tasks().approval(call.id()).orElse(null),
        follows == null ? null : reader.call(follows).orElse(null),
        key == null
            ? null
            : reader
                .latestOfKey(key)
                .filter(latest -> call.id().equals(latest.follows()))
                .orElse(null));
  }
}
