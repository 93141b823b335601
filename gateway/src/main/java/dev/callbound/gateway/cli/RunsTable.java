package dev.callbound.gateway.cli;

import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The runs as a person reads them, a row for each. */
final class RunsTable {
  private RunsTable() {}

  static void show(Screen screen, List<RunSummary> runs) {
    if (runs.isEmpty()) {
      screen.line("No runs.");
      return;
    }
    Style style = screen.style();
    ShortIds ids = new ShortIds(runs.stream().map(summary -> summary.run().id()).toList());
    // A column of nothing is in the way.
    boolean expected = runs.stream().anyMatch(summary -> !summary.outputs().isEmpty());
    List<String> headings =
        new ArrayList<>(
            List.of("RUN", "STATE", "STARTED", "TOOK", "OK", "STOPPED", "UNKNOWN", "OPEN"));
    if (expected) {
      headings.add("OUTPUTS");
    }
    headings.add("NAME OR CLIENT");
    Table table = new Table(style, headings.size() - 1, "", headings.toArray(String[]::new));
    for (RunSummary summary : runs) {
      RunRecord run = summary.run();
      OutcomeCounts outcomes = summary.outcomes();
      List<Table.Cell> cells =
          new ArrayList<>(
              List.of(
                  Table.Cell.of(ids.of(run.id())),
                  new Table.Cell(run.state().code(), screen.outcome(run.state().code())),
                  Table.Cell.of(screen.times().brief(run.createdAt())),
                  Table.Cell.of(RunView.took(run)),
                  count(outcomes.ok(), style::good),
                  count(outcomes.stopped(), style::stopped),
                  count(outcomes.unknown(), style::alarming),
                  count(outcomes.open(), style::bold)));
      if (expected) {
        cells.add(outputs(summary, style));
      }
      cells.add(Table.Cell.of(called(run)));
      table.row(cells.toArray(Table.Cell[]::new));
    }
    screen.lines(table.lines());
  }

  /** What people know a run by. */
  static String called(RunRecord run) {
    return Text.line(run.name() != null ? run.name() : run.client());
  }

  /** How many of those expected are there. */
  private static Table.Cell outputs(RunSummary summary, Style style) {
    int expected = summary.outputs().size();
    if (expected == 0) {
      return Table.Cell.of("·");
    }
    boolean all = summary.outputsThere() == expected;
    boolean over = summary.run().endedAt() != null;
    return new Table.Cell(
        summary.outputsThere() + " of " + expected,
        all ? style::good : over ? style::alarming : UnaryOperator.identity());
  }

  /** A zero is nothing to look at. */
  private static Table.Cell count(int count, UnaryOperator<String> look) {
    return count == 0 ? Table.Cell.of("·") : new Table.Cell(Integer.toString(count), look);
  }
}
