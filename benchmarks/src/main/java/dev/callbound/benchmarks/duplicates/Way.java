package dev.callbound.benchmarks.duplicates;

/** What stands between the writes and the server. */
sealed interface Way {
  /** The row's name in the table. */
  String title();

  /** A client that speaks to the server itself. */
  record Direct(String title, Attitude attitude) implements Way {}

  /**
   * A client that asks Callbound once, and believes it.
   *
   * @param recognise what the configuration says of the tool, as YAML in braces' style
   */
  record Bounded(String title, String recognise) implements Way {}
}
