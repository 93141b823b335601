package dev.callbound.journal;

import dev.callbound.policy.Effect;
import dev.callbound.policy.Recognition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call as it is remembered: what was asked for, how it was planned, how it ended. Times have
 * whole milliseconds.
 *
 * @param id see {@link Ids#call()}
 * @param run the id of the run that it belongs to
 * @param step the client's own name for this place in its work; null when it sent none
 * @param tool the tool's name at its server, without a prefix
 * @param key what the call means to do, hashed: a call with the same key is a repeat of it; null
 *     when repeats are of no interest
 * @param follows the id of the earlier, unknown call of the same intent whose truth this one was
 *     made to learn; null for any other. It may have been forgotten meanwhile
 * @param argumentsDigest a digest of the arguments
 * @param arguments the arguments as JSON, masked; null unless they are recorded in full
 * @param ending how it ended, as far as is known by now; null while it is open
 * @param settled how it became known, when it had been unknown; null when it never was, or still is
 */
public record CallRecord(
    String id,
    String run,
    @Nullable String step,
    String server,
    String tool,
    Effect effect,
    EffectSource effectFrom,
    Recognition recognition,
    @Nullable String key,
    @Nullable String follows,
    String argumentsDigest,
    @Nullable String arguments,
    Instant startedAt,
    @Nullable Ending ending,
    @Nullable Settlement settled) {

  public CallRecord {
    Check.id(id, Ids.CALL);
    Check.id(run, Ids.RUN);
    if (follows != null) {
      Check.id(follows, Ids.CALL);
    }
    if (settled != null && (ending == null || ending.status() == Ending.Status.UNKNOWN)) {
      throw new IllegalArgumentException("a call that is settled is ok or stopped: " + id);
    }
    startedAt = Check.millis(startedAt);
  }
}
