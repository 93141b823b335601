package dev.callbound.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.demo.Report.Line;
import dev.callbound.gateway.demo.Report.Side;
import dev.callbound.testkit.LedgerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

/** Runs the demo once, for real, and looks at it from several sides. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DemoTest {
  private final List<Task> finished = new ArrayList<>();
  private Path folder = Path.of("");
  private Report report = Reports.small();

  @BeforeAll
  void run(@TempDir Path temporary) throws IOException, InterruptedException {
    folder = temporary;
    report = new Demo(folder, (_, task, _) -> finished.add(task)).run();
  }

  @Test
  void nothingHappensTwiceThroughCallboundAndNobodyIsMisled() {
    assertThat(report.bounded().repeated()).isZero();
    assertThat(report.bounded().wrong()).isZero();
  }

  @Test
  void theNaiveClientDoesThingsTwiceAndDoesNotKnow() {
    assertThat(report.naive().repeated()).isPositive();
    assertThat(report.naive().wrong()).isPositive();
    assertThat(report.naive().unknown()).isZero();
  }

  @Test
  void whatCannotBeKnownIsCalledUnknown() {
    assertThat(report.lines())
        .filteredOn(line -> line.task().tool().equals("write_then_reset"))
        .extracting(line -> line.told().toString())
        .containsExactly("unknown: connection_lost");
    assertThat(report.bounded().unknown()).isPositive();
  }

  @Test
  void everyTaskIsDoneByBothAndTold() {
    assertThat(finished).isEqualTo(Task.ALL);
    assertThat(report.lines()).extracting(Line::task).isEqualTo(Task.ALL);
    assertThat(report.lines())
        .allSatisfy(
            line -> {
              assertThat(line.naive().count().sent()).isPositive();
              assertThat(line.bounded().count().sent()).isPositive();
            });
  }

  @Test
  void countsAreThoseOfTheLedgers() throws IOException {
    assertCounted(Demo.NAIVE, Line::naive);
    assertCounted(Demo.BOUNDED, Line::bounded);
  }

  private void assertCounted(String client, Function<Line, Side> side) throws IOException {
    LedgerReport ledger = LedgerReport.readFile(Backend.ledgerOf(client, folder));
    assertThat(report.lines())
        .allSatisfy(
            line -> {
              Count count = side.apply(line).count();
              String tool = line.task().tool();
              assertThat(count.sent()).isEqualTo(ledger.callsOf(tool).size());
              assertThat(count.happened())
                  .isEqualTo(ledger.effects().stream().filter(e -> e.tool().equals(tool)).count());
            });
  }

  @Test
  void tableIsAtMostAHundredColumnsWide() {
    assertThat(new TextTable(Ansi.OFF).lines(report))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
  }

  @Test
  void jsonSaysTheSame() {
    var json = ReportJson.of(report);
    assertThat(json.path("tasks")).hasSize(Task.ALL.size());
    assertThat(json.at("/sums/naive/sent").asInt()).isEqualTo(report.naive().sent());
    assertThat(json.at("/sums/through_callbound/unknown").asInt())
        .isEqualTo(report.bounded().unknown());
  }

  @Test
  void markdownHasARowForEachTaskAndSum() {
    assertThat(MarkdownTable.lines(report))
        .hasSize(2 + Task.ALL.size() + 4)
        .allSatisfy(line -> assertThat(line.replaceAll("[^|]", "")).hasSize(8));
  }
}
