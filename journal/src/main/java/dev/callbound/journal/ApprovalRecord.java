package dev.callbound.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call that is not made before a person has said so. Times have whole milliseconds.
 *
 * @param call the id of the call
 * @param until when it is too late to say so
 * @param arguments what will be sent, as JSON, with what must not be seen masked
 * @param masked whether something is masked in them
 * @param ruling what became of it; null while it waits
 */
public record ApprovalRecord(
    String call,
    Instant askedAt,
    Instant until,
    String arguments,
    boolean masked,
    @Nullable Ruling ruling) {

  public ApprovalRecord {
    Check.id(call, Ids.CALL);
    askedAt = Check.millis(askedAt);
    until = Check.millis(until);
  }
}
