package dev.callbound.benchmarks.load;

/** What one run of {@link Load} measured. */
final class Sample {

  private final long[] sortedNanos;
  private final long elapsedNanos;

  /**
   * A sample.
   *
   * @param sortedNanos how long each call took, the shortest first; kept, not copied
   * @param elapsedNanos how long the whole run took
   */
  Sample(long[] sortedNanos, long elapsedNanos) {
    if (sortedNanos.length == 0) {
      throw new IllegalArgumentException("a run must be long enough for at least one call");
    }
    this.sortedNanos = sortedNanos;
    this.elapsedNanos = elapsedNanos;
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
