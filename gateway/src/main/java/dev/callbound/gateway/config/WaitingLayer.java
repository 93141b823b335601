package dev.callbound.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about waiting; see {@link Waiting}. Null stands for what it doesn't say.
 *
 * @param detachAfter {@link Duration#ZERO} where it says that a client is never told to come back
 */
public record WaitingLayer(
    @Nullable Duration detachAfter, @Nullable Approve approve, @Nullable Duration approveWithin) {
  /** A place that says nothing. */
  static final WaitingLayer SILENT = new WaitingLayer(null, null, null);
}
