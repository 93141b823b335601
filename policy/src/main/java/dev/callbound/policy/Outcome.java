package dev.callbound.policy;

import org.jspecify.annotations.Nullable;

/**
 * How a call ended. All three are real and recorded; {@code unknown} is never folded into {@code
 * stopped}.
 *
 * @param <T> what a result is
 */
public sealed interface Outcome<T> {
  /**
   * How many attempts were begun; zero when the call was turned away before the first, or when it
   * followed one that ended {@code unknown} and had only to ask.
   */
  int attempts();

  /** The tool's own result, or that of the effect which a check found. */
  record Ok<T>(T result, int attempts) implements Outcome<T> {
    public Ok {
      requireNotNegative(attempts);
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
      requireNotNegative(attempts);
    }
  }

  /**
   * A write that may or may not have happened.
   *
   * @param detail one sentence for people
   */
  record Unknown<T>(Reason.Unknown reason, String detail, int attempts) implements Outcome<T> {
    public Unknown {
      requireNotNegative(attempts);
    }
  }

  private static void requireNotNegative(int attempts) {
    if (attempts < 0) {
      throw new IllegalArgumentException("attempts must not be negative: " + attempts);
    }
  }
}
