package dev.callbound.policy;

import java.time.Duration;

/**
 * One try at a call, as it is about to begin.
 *
 * @param number from 1; anything after the first is a retry
 * @param deadline when to give up; covers connecting, the handshake and the call
 * @param timeout the deadline as a length of time, counted from the attempt's begin
 * @param limitedBy which of the three limits made the timeout what it is
 */
public record Attempt(int number, Deadline deadline, Duration timeout, Limit limitedBy) {
  public Attempt {
    if (number < 1) {
      throw new IllegalArgumentException("attempts count from 1: " + number);
    }
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative: " + timeout);
    }
  }

  /** What bounds an attempt; the least of the three counts. */
  public enum Limit {
    /** The tool's own deadline. */
    TOOL,
    /** What is left of the call. */
    CALL,
    /** What is left of the run. */
    RUN
  }
}
