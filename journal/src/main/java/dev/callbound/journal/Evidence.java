package dev.callbound.journal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of the tool while an attempt went on.
 *
 * @param progressCount how many progress notifications came
 * @param lastProgressAge how old the last of them was when the attempt ended, kept in whole
 *     milliseconds; null when none came
 * @param signsOfLife how many other messages or comment lines came: life, not progress
 * @param upstreamNote what the server's side had to say: an exit code, the last lines of stderr, a
 *     renewed session; null when nothing
 */
public record Evidence(
    int progressCount,
    @Nullable Duration lastProgressAge,
    int signsOfLife,
    @Nullable String upstreamNote) {
  /** Nothing was seen. */
  public static final Evidence NONE = new Evidence(0, null, 0, null);

  public Evidence {
    if (progressCount < 0 || signsOfLife < 0) {
      throw new IllegalArgumentException(
          "counts must not be negative: " + progressCount + ", " + signsOfLife);
    }
    lastProgressAge =
        lastProgressAge == null ? null : Duration.ofMillis(lastProgressAge.toMillis());
  }
}
