package dev.callbound.journal;

import dev.callbound.policy.Failure;
import org.jspecify.annotations.Nullable;

/**
 * A failure as it is remembered.
 *
 * @param kind see {@link Failure#kind()}
 * @param detail see {@link Failure#detail()}
 * @param mayHaveRun see {@link Failure#mayHaveRun()}; kept, because after a crash it decides
 *     whether the call is in doubt
 */
public record FailureRecord(String kind, String detail, boolean mayHaveRun) {
  /** The record of a failure; null for null. */
  public static @Nullable FailureRecord of(@Nullable Failure failure) {
    return failure == null
        ? null
        : new FailureRecord(failure.kind(), failure.detail(), failure.mayHaveRun());
  }
}
