package dev.callbound.journal;

/**
 * How the last attempt of a call ended.
 *
 * @param number the attempt, from 1
 */
public record LastAttempt(int number, AttemptEnd end) {
  public LastAttempt {
    if (number < 1) {
      throw new IllegalArgumentException("attempts count from 1: " + number);
    }
  }
}
