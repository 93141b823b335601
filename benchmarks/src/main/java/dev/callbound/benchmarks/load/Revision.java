package dev.callbound.benchmarks.load;

import java.util.Arrays;

/** The two generations of MCP, each by its newest revision. */
enum Revision {
  SESSIONS("2025-11-25"),
  STATELESS("2026-07-28");

  private final String date;

  Revision(String date) {
    this.date = date;
  }

  String date() {
    return date;
  }

  static Revision of(String date) {
    return Arrays.stream(values())
        .filter(each -> each.date.equals(date))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the revision must be 2025-11-25 or 2026-07-28: " + date));
  }
}
