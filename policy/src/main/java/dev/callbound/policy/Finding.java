package dev.callbound.policy;

/**
 * What a check found about a write that may have happened.
 *
 * @param <T> what a result is
 */
public sealed interface Finding<T> {
  /** The effect is there; this is the result it left. */
  record Landed<T>(T result) implements Finding<T> {}

  /** The effect is not there, and will not come. */
  record Absent<T>() implements Finding<T> {}

  /** The check gave no clear answer. */
  record Unclear<T>(String detail) implements Finding<T> {}
}
