package dev.callbound.gateway.config;

import dev.callbound.policy.Money;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a run.
 *
 * @param deadline how long a run may take; more than zero
 * @param retries how many retries its calls may make together; zero or more
 * @param spend how much its calls may spend together, and the most that it can ask for; null for as
 *     much as they like
 * @param idleAfter after how long without calls a run that nobody named is done; more than zero
 */
public record RunConfig(Duration deadline, int retries, @Nullable Money spend, Duration idleAfter) {
  public RunConfig {
    Positive.check("deadline", deadline);
    Positive.check("idle after", idleAfter);
    if (retries < 0) {
      throw new IllegalArgumentException("retries must not be negative: " + retries);
    }
  }

  /** What holds where the config says nothing. */
  public static RunConfig standard() {
    return new RunConfig(
        Keys.Run.DEADLINE.required(),
        Keys.Run.RETRIES.required(),
        null,
        Keys.Run.IDLE_AFTER.required());
  }
}
