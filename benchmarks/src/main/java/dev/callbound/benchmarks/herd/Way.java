package dev.callbound.benchmarks.herd;

import java.util.List;

/** What stands between the runs and the server. */
sealed interface Way {
  /** The row's name in the table, and the line's in the chart. */
  String title();

  /** Clients that speak to the server themselves, and try at once up to three times. */
  record Naive(String title) implements Way {}

  /**
   * Clients that ask Callbound once.
   *
   * @param more of the configuration, as lines of YAML
   */
  record Bounded(String title, String more) implements Way {}

  /** All of them, in the order of the table. */
  List<Way> ALL =
      List.of(
          new Naive("naive retry"),
          new Bounded(
              "fixed backoff, no circuit",
              "defaults: {circuit: off}\nbackoff: {base: 1s, cap: 1s}\n"),
          new Bounded("Callbound", ""));
}
