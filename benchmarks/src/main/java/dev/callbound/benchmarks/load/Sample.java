package dev.callbound.benchmarks.load;

import java.time.Duration;

/** What one run of {@link Load} measured. */
final class Sample {

  private final long[] sortedNanos;
  private final long elapsedNanos;
  private final Duration processorTime;

  /**
   * A sample.
   *
   * @param sortedNanos how long each call took, the shortest first; kept, not copied
   * @param elapsedNanos how long the whole run took
   */
  Sample(long[] sortedNanos, long elapsedNanos) {
    this(sortedNanos, elapsedNanos, Duration.ZERO);
  }

  private Sample(long[] sortedNanos, long elapsedNanos, Duration processorTime) {
    if (sortedNanos.length == 0) {
      throw new IllegalArgumentException("a run must be long enough for at least one call");
    }
    this.sortedNanos = sortedNanos;
    this.elapsedNanos = elapsedNanos;
    this.processorTime = processorTime;
  }

  /** This sample, with the processor time that its calls took in the middle of the way. */
  Sample costing(Duration time) {
    return new Sample(sortedNanos, elapsedNanos, time);
  }

  /** The processor time that a call took in the middle of the way, in microseconds. */
  double processorMicros() {
    return processorTime.toNanos() / 1e3 / sortedNanos.length;
  }

  int calls() {
    return sortedNanos.length;
  }

  /** Calls per second. */
  double throughput() {
    return sortedNanos.length * 1e9 / elapsedNanos;
  }

  /**
   * The time in milliseconds within which a share of the calls was answered.
   *
   * @param share more than 0, at most 1
   */
  double millis(double share) {
    return sortedNanos[(int) Math.ceil(share * sortedNanos.length) - 1] / 1e6;
  }
}
