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
  record Ok<T>(T result, int attempts) implements Outcome<T> {
    public Ok {
      if (attempts < 1) {
        throw new IllegalArgumentException("ok takes at least 1 attempt: " + attempts);
      }
    }
  }

  /**
   * Over, and nothing is in doubt: nothing happened, or the tool itself said how it failed.
   *
   * @param detail one sentence for people
   * @param answer the tool's own error result, to be passed on unchanged; null where it gave none
   */
  record Stopped<T>(Reason.Stopped reason, String detail, int attempts, @Nullable T answer)
      implements Outcome<T> {
    public Stopped {
      if (attempts < 0) {
        throw new IllegalArgumentException("attempts must not be negative: " + attempts);
      }
    }
  }

  /**
   * A write that may or may not have happened.
   *
   * @param detail one sentence for people
   */
  record Unknown<T>(Reason.Unknown reason, String detail, int attempts) implements Outcome<T> {
    public Unknown {
      if (attempts < 1) {
        throw new IllegalArgumentException(
            "nothing is in doubt before the first attempt: " + attempts);
      }
    }
  }
}
