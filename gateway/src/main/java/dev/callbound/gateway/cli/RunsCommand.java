package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunState;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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
      "  callbound runs --watch --state running      what is going on",
      "  callbound runs --json --limit 1 | jq -r '.[0].id'"
    })
final class RunsCommand implements Callable<Integer> {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

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

  @Option(
      names = {"-w", "--watch"},
      description = {
        "Look again each second, until Ctrl-C: redrawn on a terminal, else a line for each run",
        "that is new or has changed."
      })
  private boolean watch;

  @Mixin private LimitOption limit = new LimitOption();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  RunsCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    try (JournalReader reader = journal.open()) {
      if (watch) {
        watch(reader);
      } else {
        print(read(reader));
      }
    }
    return ExitCode.OK;
  }

  private List<RunSummary> read(JournalReader reader) {
    Set<RunState> wanted =
        states == null || states.isEmpty() ? EnumSet.allOf(RunState.class) : EnumSet.copyOf(states);
    return reader.runs(wanted, limit.value()).stream()
        .map(run -> RunSummary.of(run, reader))
        .toList();
  }

  private void watch(JournalReader reader) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    StopSignal.onFirst(stopped::countDown);
    CommandLine command = Program.of(spec);
    PrintWriter out = command.getOut();
    RunsWatch.Form inText = Terminal.isOutput() ? RunsWatch.Form.TABLE : RunsWatch.Form.LINES;
    RunsWatch watching =
        new RunsWatch(
            out,
            output.json() ? RunsWatch.Form.JSON : inText,
            CommandLineProgram.of(command).style(),
            Times.local());
    do {
      watching.tell(read(reader), Instant.now());
      // Whoever reads it may have gone, as head does.
    } while (!out.checkError() && !stopped.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS));
  }

  private void print(List<RunSummary> runs) {
    output.print(
        Program.of(spec),
        () -> {
          ArrayNode all = JsonNodeFactory.instance.arrayNode();
          runs.forEach(run -> all.add(run.toJson()));
          return all;
        },
        screen -> RunsTable.show(screen, runs));
  }
}
