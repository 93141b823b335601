package dev.callbound.benchmarks.herd;

import java.time.Duration;

/**
 * When the dependency works and when it does not: first it does, then it does not, then it does.
 *
 * @param before how long it works
 * @param down how long it fails after that
 * @param after how long it works again
 */
record Phases(Duration before, Duration down, Duration after) {
  /** From the beginning to the end. */
  Duration whole() {
    return before.plus(down).plus(after);
  }

  /** Whether it fails in the whole of that second, from 0. */
  boolean isDown(int second) {
    return second >= before.toSeconds() && second < before.plus(down).toSeconds();
  }
}
