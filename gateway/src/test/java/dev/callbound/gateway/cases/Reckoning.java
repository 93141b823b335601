package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.gateway.cases.ReturningClient.Told;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Recognition;
import dev.callbound.testkit.LedgerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the server counted, what the journal recorded and what the clients were told, held against
 * one another, write by write. Immutable.
 */
final class Reckoning {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, List<LedgerReport.Effect>> effects;
  private final Map<String, List<LedgerReport.Call>> sent;
  private final Map<String, List<CallRecord>> recorded;
  private final List<Told> told;
  private final Collection<Told> lastTold;
  private final int takenUp;

  private Reckoning(
      LedgerReport ledger,
      Map<String, List<CallRecord>> recorded,
      int takenUp,
      List<ReturningClient> clients) {
    this.effects = by(ledger.effects(), LedgerReport.Effect::marker);
    this.sent =
        by(
            ledger.calls().stream().filter(call -> !call.tool().equals("find_by_marker")).toList(),
            LedgerReport.Call::marker);
    this.recorded = recorded;
    this.takenUp = takenUp;
    this.told = clients.stream().flatMap(client -> client.told().stream()).toList();
    this.lastTold =
        clients.stream().flatMap(client -> client.lastTold().values().stream()).toList();
  }

  /** Reads it all; the journal was written with arguments in full. */
  static Reckoning of(Path journal, LedgerReport ledger, List<ReturningClient> clients)
      throws IOException {
    List<CallRecord> calls = new ArrayList<>();
    int takenUp = 0;
    try (JournalReader reader = SqliteJournal.openReadOnly(journal)) {
      for (var run : reader.runs(EnumSet.allOf(RunState.class), 1_000)) {
        for (CallRecord call : reader.callsOf(run.id(), 100_000)) {
          calls.add(reader.call(call.id()).orElseThrow());
          boolean died =
              reader.attemptsOf(call.id()).stream()
                  .anyMatch(
                      attempt ->
                          attempt.end() != null
                              && attempt.end().failure() != null
                              && attempt.end().failure().kind().equals("worker_died"));
          takenUp += died && call.recognition() != Recognition.NONE ? 1 : 0;
        }
      }
    }
    return new Reckoning(ledger, by(calls, Reckoning::marker), takenUp, clients);
  }

  /** How many ended how, by their recognition. */
  Map<String, Integer> outcomes() {
    Map<String, Integer> outcomes = new TreeMap<>();
    for (CallRecord call : calls()) {
      String outcome = call.ending() == null ? "open" : World.outcome(call);
      outcomes.merge(call.recognition() + " " + outcome, 1, Integer::sum);
    }
    outcomes.put("taken up after a crash", takenUp);
    outcomes.put("answers", told.size());
    outcomes.put(
        "answers whose result was lost", (int) told.stream().filter(Reckoning::lost).count());
    outcomes.put("effects", effects.size());
    return outcomes;
  }

  void nothingWasDoneTwice() {
    assertThat(effects).allSatisfy((marker, done) -> assertThat(done).as(story(marker)).hasSize(1));
  }

  /** Nor sent, except where the server had said that it would not do it. */
  void nothingUnrecognisedWasSentTwice() {
    sent.forEach(
        (marker, calls) -> {
          if (recognition(marker) == Recognition.NONE) {
            assertThat(calls)
                .as(story(marker))
                .filteredOn(call -> !"status 429".equals(call.outcome()))
                .hasSizeLessThanOrEqualTo(1);
          }
        });
  }

  void everyKeyedWriteHadOneKey() {
    sent.forEach(
        (marker, calls) -> {
          if (recognition(marker) == Recognition.KEY) {
            assertThat(calls.stream().map(LedgerReport.Call::key).distinct())
                .as(story(marker))
                .hasSize(1)
                .doesNotContainNull();
          }
        });
  }

  void noCallIsOpen() {
    assertThat(recorded.keySet()).as("all that was sent is on record").containsAll(sent.keySet());
    assertThat(calls()).allMatch(call -> call.ending() != null);
  }

  /** What ended ok was done; what was stopped had not been done by then. */
  void everyOutcomeIsTrue() {
    for (CallRecord call : calls()) {
      Ending ending = call.ending();
      boolean done =
          switch (ending.status()) {
            case OK -> !effects.getOrDefault(marker(call), List.of()).isEmpty();
            case STOPPED -> doneBy(marker(call), ending.endedAt());
            case UNKNOWN -> false;
          };
      assertThat(done).as(story(marker(call))).isEqualTo(ending.status() == Ending.Status.OK);
    }
    recorded.forEach(
        (marker, calls) -> {
          if (calls.stream().allMatch(call -> call.ending().status() == Ending.Status.STOPPED)) {
            assertThat(effects).as(story(marker)).doesNotContainKey(marker);
          }
        });
  }

  /** The clients heard no more than was so, and no other answer the second time. */
  void everyAnswerWasTrue() {
    for (Told each : told) {
      String marker = each.write().marker();
      if (!each.unknown()) {
        assertThat(doneBy(marker, each.at()))
            .as("%s: %s", each, story(marker))
            .isEqualTo(each.ok());
      }
    }
    by(told.stream().filter(Told::ok).filter(each -> !lost(each)).toList(), Reckoning::marker)
        .forEach(
            (marker, answers) ->
                assertThat(answers.stream().map(Told::text).distinct())
                    .as(story(marker))
                    .hasSize(1));
  }

  /** A client that comes back for a write which can be recognised learns that it was done. */
  void whatCouldBeRecognisedWasDoneOnce() {
    for (Told last : lastTold) {
      if (last.write().recognised()) {
        assertThat(last.ok()).as("%s: %s", last, story(last.write().marker())).isTrue();
      }
    }
  }

  /** The kills hit what they were meant to hit. */
  void theKillsHitWritesThatWereUnderWay() {
    assertThat(takenUp).as("taken up: %s", outcomes()).isPositive();
    assertThat(outcomes())
        .containsKeys("NONE unknown/worker_died", "NONE ok", "KEY ok", "CHECK ok");
  }

  /** Whether the gateway died after it had recorded that the write was done, but not its result. */
  private static boolean lost(Told told) {
    return told.ok() && told.text().contains("not on record");
  }

  private List<CallRecord> calls() {
    return recorded.values().stream().flatMap(List::stream).toList();
  }

  private Recognition recognition(String marker) {
    return recorded.get(marker).getFirst().recognition();
  }

  private boolean doneBy(String marker, Instant when) {
    return effects.getOrDefault(marker, List.of()).stream()
        .anyMatch(effect -> !effect.at().isAfter(when));
  }

  /** All that is known about a write, for a person who has to find out what went wrong. */
  private String story(String marker) {
    return "%s: told %s%nrecorded %s%nsent %s%ndone %s"
        .formatted(
            marker,
            told.stream().filter(each -> each.write().marker().equals(marker)).toList(),
            recorded.get(marker),
            sent.get(marker),
            effects.get(marker));
  }

  private static String marker(Told told) {
    return told.write().marker();
  }

  private static String marker(CallRecord call) {
    try {
      return MAPPER.readTree(call.arguments()).path("marker").asText();
    } catch (IOException e) {
      throw new IllegalStateException("what was recorded can't be read: " + call, e);
    }
  }

  private static <T> Map<String, List<T>> by(List<T> all, Function<T, String> marker) {
    return all.stream().collect(Collectors.groupingBy(marker, TreeMap::new, Collectors.toList()));
  }
}
