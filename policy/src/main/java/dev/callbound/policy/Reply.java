package dev.callbound.policy;

import org.jspecify.annotations.Nullable;

/**
 * What one attempt brought: the tool's result, or a failure.
 *
 * @param <T> what a result is; the policy passes it on and never looks inside
 */
public sealed interface Reply<T> {
  /** The tool's own result. */
  record Answered<T>(T result) implements Reply<T> {}

  /**
   * The attempt failed.
   *
   * @param answer the tool's own error result, to be passed on as it is; non-null exactly when the
   *     failure is a {@link Failure.ToolError}
   */
  record Failed<T>(Failure failure, @Nullable T answer) implements Reply<T> {
    public Failed {
      if ((answer != null) != (failure instanceof Failure.ToolError)) {
        throw new IllegalArgumentException(
            "an answer comes with a tool error and with nothing else: " + failure.kind());
      }
    }
  }

  /** A failure without an answer of the tool's own. */
  static <T> Reply<T> failed(Failure failure) {
    return new Failed<>(failure, null);
  }
}
