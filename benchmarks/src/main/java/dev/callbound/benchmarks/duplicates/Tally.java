package dev.callbound.benchmarks.duplicates;

import dev.callbound.testkit.LedgerReport;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What became of all writes of one way, by the server's own count.
 *
 * @param wrong how many the client believes something about that is not so
 * @param unknown how many it says it does not know about
 * @param sent how many calls reached the server for them
 */
record Tally(int once, int more, int never, int wrong, int unknown, long sent, Duration took) {

  static Tally of(Map<Write, Belief> beliefs, LedgerReport ledger, Duration took) {
    Map<String, Long> done =
        ledger.effects().stream()
            .collect(
                Collectors.groupingBy(
                    effect -> String.valueOf(effect.marker()), Collectors.counting()));
    int once = 0;
    int more = 0;
    int wrong = 0;
    int unknown = 0;
    for (Map.Entry<Write, Belief> each : beliefs.entrySet()) {
      long times = done.getOrDefault(each.getKey().marker(), 0L);
      once += times == 1 ? 1 : 0;
      more += times > 1 ? 1 : 0;
      wrong += each.getValue().isWrong(times) ? 1 : 0;
      unknown += each.getValue() == Belief.UNKNOWN ? 1 : 0;
    }
    int never = beliefs.size() - once - more;
    long sent = ledger.callsOf(Write.TOOL).size();
    return new Tally(once, more, never, wrong, unknown, sent, took);
  }

  static String header() {
    return "| | done once | twice or more | not done | believed wrongly | unknown | calls sent | s |"
        + System.lineSeparator()
        + "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";
  }

  String row(String title) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d | %d | %d | %d | %d | %.1f |",
        title,
        once,
        more,
        never,
        wrong,
        unknown,
        sent,
        took.toMillis() / 1000.0);
  }
}
