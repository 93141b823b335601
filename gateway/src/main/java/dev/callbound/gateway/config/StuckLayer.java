package dev.callbound.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about attempts that are stuck; see {@link Stuck}. Null stands for what it
 * doesn't say.
 *
 * @param after {@link Duration#ZERO} where it says that nothing is ever stuck
 */
public record StuckLayer(@Nullable Duration after, @Nullable WhenStuck then) {
  /** A place that says nothing. */
  static final StuckLayer SILENT = new StuckLayer(null, null);
}
