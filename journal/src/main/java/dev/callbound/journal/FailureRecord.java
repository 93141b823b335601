package dev.callbound.journal;

import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
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

  /** Whether the tool itself reported it. */
  public boolean isToolError() {
    return kind.equals("tool_error");
  }

  /** See {@link Failure#neverArrived()}. */
  public boolean neverArrived() {
    return switch (kind) {
      case "not_sent", "unsafe" -> true;
      case "cancelled" -> !mayHaveRun;
      default -> false;
    };
  }

  /** Why a write whose attempt failed in this way may have happened; null when it can't have. */
  public Reason.@Nullable Unknown doubt() {
    if (!mayHaveRun) {
      return null;
    }
    return switch (kind) {
      case "timed_out" -> Reason.Unknown.TIMED_OUT;
      case "server_error", "tool_error" -> Reason.Unknown.SERVER_ERROR;
      case "garbled" -> Reason.Unknown.GARBLED_ANSWER;
      case "too_large" -> Reason.Unknown.RESPONSE_TOO_LARGE;
      case "cancelled" -> Reason.Unknown.CANCELLED_IN_FLIGHT;
      case "worker_died" -> Reason.Unknown.WORKER_DIED;
      // "broken", and what a version to come may record.
      default -> Reason.Unknown.CONNECTION_LOST;
    };
  }
}
