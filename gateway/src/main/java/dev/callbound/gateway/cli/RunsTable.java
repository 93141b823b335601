package dev.callbound.gateway.cli;

import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The runs as a person reads them, a row for each. */
final class RunsTable {
  private RunsTable() {}

  static void show(Screen screen, Map<RunRecord, OutcomeCounts> runs) {
    if (runs.isEmpty()) {
      screen.line("No runs.");
      return;
    }
    Style style = screen.style();
    ShortIds ids = new ShortIds(runs.keySet().stream().map(RunRecord::id).toList());
    Table table =
        new Table(
            style,
            8,
            "",
            "RUN",
            "STATE",
            "STARTED",
            "TOOK",
            "OK",
            "STOPPED",
            "UNKNOWN",
            "OPEN",
            "NAME OR CLIENT");
    runs.forEach(
        (run, outcomes) ->
            table.row(
                Table.Cell.of(ids.of(run.id())),
                new Table.Cell(run.state().code(), screen.outcome(run.state().code())),
                Table.Cell.of(screen.times().brief(run.createdAt())),
                Table.Cell.of(RunView.took(run)),
                count(outcomes.ok(), style::good),
                count(outcomes.stopped(), style::stopped),
                count(outcomes.unknown(), style::alarming),
                count(outcomes.open(), style::bold),
                Table.Cell.of(called(run))));
    screen.lines(table.lines());
  }

  /** What people know a run by. */
  static String called(RunRecord run) {
    return Text.line(run.name() != null ? run.name() : run.client());
  }

  /** A zero is nothing to look at. */
  private static Table.Cell count(int count, UnaryOperator<String> look) {
    return count == 0 ? Table.Cell.of("·") : new Table.Cell(Integer.toString(count), look);
  }
}
