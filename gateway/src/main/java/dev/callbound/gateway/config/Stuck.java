package dev.callbound.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When an attempt counts as stuck, and what becomes of it.
 *
 * @param after how long it may make no progress; null means for ever
 */
public record Stuck(@Nullable Duration after, WhenStuck then) {
  public Stuck {
    if (after != null) {
      Positive.check("stuck after", after);
    }
  }
}
