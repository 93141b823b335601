package dev.callbound.policy;

import org.jspecify.annotations.Nullable;

/**
 * How a call ended. All three are real and recorded; {@code unknown} is never folded into {@code
 * stopped}.
 *
 * @param <T> what a result is
 */
public sealed interface Outcome<T> {
  /** How many attempts were begun; zero when the call was turned away before the first. */
  int attempts();

  /** The tool's own result. */
  record Ok<T>(T result, int attempts) implements Outcome<T> {}

  /**
   * Over, and nothing is in doubt: nothing happened, or the tool itself said how it failed.
   *
   * @param detail one sentence for people
   * @param answer the tool's own error result, to be passed on unchanged; null where it gave none
   */
  record Stopped<T>(Reason.Stopped reason, String detail, int attempts, @Nullable T answer)
      implements Outcome<T> {}

  /**
   * A write that may or may not have happened.
   *
   * @param detail one sentence for people
   */
  record Unknown<T>(Reason.Unknown reason, String detail, int attempts) implements Outcome<T> {}
}
