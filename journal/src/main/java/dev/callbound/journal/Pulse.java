package dev.callbound.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of the tool while an attempt was going on: progress and other signs of life, apart.
 * Kept of an attempt that lasts, every few seconds. Times have whole milliseconds.
 *
 * @param lastProgressAt null while no progress was reported
 * @param lastSignAt when the last other sign of life came; null while none did
 * @param stuckSince when it was found to have made no progress for too long; null while it was not
 */
public record Pulse(
    int progressCount,
    @Nullable Instant lastProgressAt,
    int signsOfLife,
    @Nullable Instant lastSignAt,
    @Nullable Instant stuckSince) {
  /** Of an attempt of which nothing was seen. */
  public static final Pulse NOTHING_SEEN = new Pulse(0, null, 0, null, null);

  public Pulse {
    lastProgressAt = lastProgressAt == null ? null : Check.millis(lastProgressAt);
    lastSignAt = lastSignAt == null ? null : Check.millis(lastSignAt);
    stuckSince = stuckSince == null ? null : Check.millis(stuckSince);
  }
}
