package dev.callbound.gateway.cases;

import dev.callbound.testkit.LedgerReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls that are told apart by a marker of their own, so that many can share a server. */
final class Marked {
  private Marked() {}

  /** Arguments with the marker alone. */
  static String arguments(String marker) {
    return "{\"marker\": \"" + marker + "\"}";
  }

  /**
   * Arguments with the marker first.
   *
   * @param more further members, without braces
   */
  static String arguments(String marker, String more) {
    return "{\"marker\": \"" + marker + "\", " + more + "}";
  }

  /** How long after each call with the marker the next one arrived, by the server's clock. */
  static List<Duration> gaps(LedgerReport ledger, String marker) {
    List<Duration> gaps = new ArrayList<>();
    List<LedgerReport.Call> calls = ledger.callsMarked(marker);
    for (int i = 1; i < calls.size(); i++) {
      gaps.add(Duration.ofMillis(calls.get(i).millis() - calls.get(i - 1).millis()));
    }
    return gaps;
  }
}
