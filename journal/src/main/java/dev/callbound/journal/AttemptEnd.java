package dev.callbound.journal;

import dev.callbound.policy.Decision;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended, and what was decided then.
 *
 * @param waited how long it took, kept in whole microseconds; null when the process that measured
 *     it died
 * @param failure null when it succeeded
 * @param decision what followed; its pause is kept in whole milliseconds
 */
public record AttemptEnd(
    @Nullable Duration waited,
    @Nullable FailureRecord failure,
    Decision decision,
    Evidence evidence) {

  public AttemptEnd {
    waited = waited == null ? null : Duration.ofNanos(waited.toNanos() / 1_000 * 1_000);
    Duration pause = decision.pause();
    if (pause != null) {
      decision =
          new Decision(decision.action(), Duration.ofMillis(pause.toMillis()), decision.why());
    }
  }
}
