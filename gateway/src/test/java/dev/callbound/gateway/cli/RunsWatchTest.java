package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunsWatchTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final RunRecord RUN =
      RunRecord.running(SampleJournal.RUN, "nightly", "local", "api", NOW, NOW.plusSeconds(60), 5);

  private final StringWriter printed = new StringWriter();

  @Test
  void aLineIsPrintedForARunThatIsNewOrHasChanged() {
    RunsWatch watch = watch(RunsWatch.Form.LINES);

    watch.tell(at(1, 0, 0, 1), NOW);
    watch.tell(at(1, 0, 0, 1), NOW.plusSeconds(1));
    watch.tell(at(1, 0, 1, 0), NOW.plusSeconds(2));

    assertThat(lines())
        .containsExactly(
            "2026-12-01 00:00:00 " + RUN.id() + " running ok=1 stopped=0 unknown=0 open=1 nightly",
            "2026-12-01 00:00:02 " + RUN.id() + " running ok=1 stopped=0 unknown=1 open=0 nightly");
  }

  @Test
  void aProgramGetsAnObjectToALine() {
    RunsWatch watch = watch(RunsWatch.Form.JSON);

    watch.tell(at(0, 0, 0, 1), NOW);

    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("{\"id\":\"" + RUN.id() + "\"")
        .contains("\"open\":1");
  }

  @Test
  void aTableTakesThePlaceOfTheOneBefore() {
    RunsWatch watch = watch(RunsWatch.Form.TABLE);

    watch.tell(at(0, 0, 0, 1), NOW);

    assertThat(printed.toString())
        .startsWith("\u001b[HRUN ")
        .contains("nightly\u001b[K")
        .endsWith("\u001b[J");
  }

  private static List<RunSummary> at(int ok, int stopped, int unknown, int open) {
    return List.of(new RunSummary(RUN, new OutcomeCounts(ok, stopped, unknown, open), List.of()));
  }

  private RunsWatch watch(RunsWatch.Form form) {
    return new RunsWatch(new PrintWriter(printed), form, Style.PLAIN, new Times(ZoneOffset.UTC));
  }

  private List<String> lines() {
    return printed.toString().lines().toList();
  }
}
