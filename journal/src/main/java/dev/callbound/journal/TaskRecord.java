package dev.callbound.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a call that goes on without its client, so that the client can come back
 * for it. Times have whole milliseconds.
 *
 * @param call the id of the call, which is the task's too
 * @param principal whose task it is
 * @param detachedAt when the first client was told to come back
 * @param keptUntil until when it can be asked for
 * @param cancelledAt when a client took it back; null while none has
 * @param error the JSON-RPC error that the server gave for an answer, as JSON and masked; null
 *     where it gave none
 */
public record TaskRecord(
    String call,
    String principal,
    Instant detachedAt,
    Instant keptUntil,
    @Nullable Instant cancelledAt,
    @Nullable String error) {

  public TaskRecord {
    Check.id(call, Ids.CALL);
    detachedAt = Check.millis(detachedAt);
    keptUntil = Check.millis(keptUntil);
    cancelledAt = cancelledAt == null ? null : Check.millis(cancelledAt);
  }
}
