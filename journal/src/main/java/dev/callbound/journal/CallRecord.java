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
 * @param key what the repeat of this call is recognised by; null without one
 * @param argumentsDigest a digest of the arguments
 * @param arguments the arguments as JSON, masked; null unless they are recorded in full
 * @param ending null while it is open
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
    String argumentsDigest,
    @Nullable String arguments,
    Instant startedAt,
    @Nullable Ending ending) {

  public CallRecord {
    Check.id(id, Ids.CALL);
    Check.id(run, Ids.RUN);
    startedAt = Check.millis(startedAt);
  }
}
