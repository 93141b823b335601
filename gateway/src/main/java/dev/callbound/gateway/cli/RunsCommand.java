package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code callbound runs}. */
@Command(
    name = "runs",
    header = "List the runs, the newest first, and how their calls ended.",
    description = {"", "Works while a gateway is running, and without one.", ""},
    footer = {
      "",
      "Examples:",
      "  callbound runs                              the last 20",
      "  callbound runs --state running,unknown      those that somebody should look at",
      "  callbound runs --json --limit 1 | jq -r '.[0].id'"
    })
final class RunsCommand implements Callable<Integer> {
  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      description = {
        "Only runs in this state; may be given several times, or with commas:",
        "${COMPLETION-CANDIDATES}."
      },
      completionCandidates = StateNames.class,
      converter = StateNames.Converter.class)
  private @Nullable List<RunState> states;

  @Mixin private LimitOption limit = new LimitOption();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  RunsCommand() {}

  @Override
  public Integer call() {
    Set<RunState> wanted =
        states == null || states.isEmpty() ? EnumSet.allOf(RunState.class) : EnumSet.copyOf(states);
    Map<RunRecord, OutcomeCounts> runs = new LinkedHashMap<>();
    try (JournalReader reader = journal.open()) {
      reader.runs(wanted, limit.value()).forEach(run -> runs.put(run, reader.outcomes(run.id())));
    }
    output.print(
        Program.of(spec),
        () -> {
          ArrayNode all = JsonNodeFactory.instance.arrayNode();
          runs.forEach((run, outcomes) -> all.add(RecordJson.run(run, outcomes)));
          return all;
        },
        screen -> show(screen, runs));
    return ExitCode.OK;
  }

  private static void show(Screen screen, Map<RunRecord, OutcomeCounts> runs) {
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
                Table.Cell.of(Text.line(run.name() != null ? run.name() : run.client()))));
    screen.lines(table.lines());
  }

  /** A zero is nothing to look at. */
  private static Table.Cell count(int count, UnaryOperator<String> look) {
    return count == 0 ? Table.Cell.of("·") : new Table.Cell(Integer.toString(count), look);
  }
}
