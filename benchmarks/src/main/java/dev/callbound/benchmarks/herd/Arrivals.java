package dev.callbound.benchmarks.herd;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many requests reached the server in each second.
 *
 * @param perSecond from the beginning
 * @param backAfterMillis how long after the server worked again the first run had an answer
 */
record Arrivals(List<Integer> perSecond, Phases phases, long backAfterMillis) {
  Arrivals {
    perSecond = List.copyOf(perSecond);
  }

  /** Counts them. */
  static Arrivals of(List<Long> millis, Phases phases, long backAfterMillis) {
    int[] counts = new int[Math.toIntExact(phases.whole().toSeconds())];
    for (long at : millis) {
      int second = (int) (at / 1_000);
      if (at >= 0 && second < counts.length) {
        counts[second]++;
      }
    }
    return new Arrivals(Arrays.stream(counts).boxed().toList(), phases, backAfterMillis);
  }

  /** How many came while it was down. */
  int whileDown() {
    return seconds().filter(phases::isDown).map(perSecond::get).sum();
  }

  /** The most in one second while it was down. */
  int busiestWhileDown() {
    return seconds().filter(phases::isDown).map(perSecond::get).max().orElse(0);
  }

  /** The most in one second of the whole time. */
  int busiest() {
    return seconds().map(perSecond::get).max().orElse(0);
  }

  /** The mean of the whole time. */
  double mean() {
    return seconds().map(perSecond::get).average().orElse(0);
  }

  private IntStream seconds() {
    return IntStream.range(0, perSecond.size());
  }
}
