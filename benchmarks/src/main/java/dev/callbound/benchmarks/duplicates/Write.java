package dev.callbound.benchmarks.duplicates;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A write that is to be done once.
 *
 * @param marker what it is known by at the server
 */
record Write(String marker, Fault fault) {
  static final String TOOL = "inject_write";

  /** So many of them; the same seed makes the same ones. */
  static List<Write> seeded(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Write> writes = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      writes.add(new Write("w" + number, Fault.any(random)));
    }
    return List.copyOf(writes);
  }

  String arguments() {
    return fault.arguments(marker);
  }
}
