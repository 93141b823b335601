package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.door.http.CannotListenException;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code callbound exec}. */
@Command(
    name = "exec",
    header = "Run a command, such as a headless agent, within a run of its own.",
    exitCodeOnInvalidInput = ExitCode.NOT_EXECUTED,
    exitCodeOnExecutionException = ExitCode.NOT_EXECUTED,
    description = {
      "",
      "Opens a run, runs the command in it, and ends both together: the run when the command ends,",
      "the command with all that it started when the run ends (TERM, and KILL 5 s later). Uses the",
      "gateway that serves the same journal, else starts one for as long as the command runs.",
      "",
      "The command finds the gateway by CALLBOUND_URL, its run by CALLBOUND_RUN, and both in an",
      "mcpServers file, whose path is in CALLBOUND_MCP_CONFIG; {mcp_config} in the command line",
      "stands for that path. stdin, stdout, stderr and signals are passed on.",
      "",
      "Exit code: the command's; 124 if the run's deadline passed; 75 if the run ended with a write in",
      "doubt; 125 if callbound itself failed, 127 if the command could not be started.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound exec -- claude -p 'Triage the inbox' --mcp-config {mcp_config}",
      "  callbound exec --name nightly-2026-12-01 --deadline 30m -- ./agent.sh",
      "  callbound exec --expect file:report.md --expect tool:mail/send -- ./agent.sh",
      "  callbound exec --mcp-config .mcp.json -- node agent.mjs"
    })
final class ExecCommand implements Callable<Integer> {
  private static final String MCP_CONFIG = "{mcp_config}";

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = {
        "The run's name. One that is running is come back to: what was done is not done again.",
        "One that is over is an error, and so is one in which another exec is at work."
      })
  private @Nullable String name;

  @Option(
      names = "--deadline",
      paramLabel = "DURATION",
      description = "How long it may take, such as 30m. Default and most: run.deadline (2h).")
  private @Nullable String deadline;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "How many retries its calls may make together. Default: run.retries (50).")
  private @Nullable Integer retries;

  @Option(
      names = "--spend",
      paramLabel = "AMOUNT",
      description =
          "How much its calls may spend together, such as 0.50. Default and most: run.spend.")
  private @Nullable String spend;

  @Option(
      names = "--expect",
      paramLabel = "OUTPUT",
      description = {
        "What it must bring about, as often as needed: tool:SERVER/TOOL (a call that ends ok),",
        "file:PATH (changed since the begin), url:URL (answered with a 2xx). The summary says what",
        "is missing."
      })
  private List<String> expected = List.of();

  @Option(
      names = "--summary",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description = {
        "When to say on stderr what came of it, in ten lines at most: ${COMPLETION-CANDIDATES}.",
        "auto: on a terminal, and whenever not all is well."
      })
  private SummaryWhen summary = SummaryWhen.AUTO;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command and its arguments; what stands after it is its own.")
  private List<String> command = List.of();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  ExecCommand() {}

  @Override
  public Integer call() throws CannotListenException, IOException, InterruptedException {
    Config config = options.load();
    // A name stands for one run, which one journal knows: the next one would not know it.
    boolean oneJournal = options.namesJournal() || name != null;
    try (ExecGateway gateway = ExecGateway.of(config, oneJournal);
        SoleCommand _ = SoleCommand.of(gateway.journal(), name);
        RunsApi api = new RunsApi(gateway.url(), gateway.token());
        JournalReader journal = SqliteJournal.openReadOnly(gateway.journal())) {
      String run =
          api.open(
              new RunsApi.Wish("exec " + program(), name, deadline, retries, spend, wholePaths()));
      requireRunning(journal.run(run).orElseThrow());
      try (McpConfigFile file = McpConfigFile.write(gateway, run)) {
        BoundedCommand.Ended ended =
            new BoundedCommand(api, journal, run)
                .execute(
                    command.stream()
                        .map(part -> part.replace(MCP_CONFIG, file.path().toString()))
                        .toList(),
                    environment(gateway, run, file.path()));
        return told(ExecSummary.of(ended, journal, run));
      }
    }
  }

  /** The gateway does not know where this command runs. */
  private List<String> wholePaths() {
    String file = "file:";
    return expected.stream()
        .map(
            output ->
                output.startsWith(file) && output.length() > file.length()
                    ? file + Path.of(output.substring(file.length())).toAbsolutePath().normalize()
                    : output)
        .toList();
  }

  private static void requireRunning(RunRecord run) {
    if (run.endedAt() != null) {
      throw new CommandFailedException(
          "run %s, %s, is over: %s. A name stands for one run; take another, such as one with the date"
              .formatted(run.name(), run.id(), run.endedBecause()));
    }
  }

  /** What a person knows the command by. */
  private String program() {
    Path file = Path.of(command.getFirst()).getFileName();
    return file == null ? command.getFirst() : file.toString();
  }

  private static Map<String, String> environment(ExecGateway gateway, String run, Path file) {
    Map<String, String> environment = new HashMap<>();
    environment.put("CALLBOUND_RUN", run);
    environment.put("CALLBOUND_URL", gateway.url().toString());
    environment.put("CALLBOUND_MCP_CONFIG", file.toString());
    if (gateway.token() != null) {
      environment.put(ExecGateway.TOKEN, gateway.token());
    }
    return environment;
  }

  private int told(ExecSummary came) {
    if (summary.isWanted(came.isAllWell())) {
      PrintWriter err = Program.of(spec).getErr();
      came.lines(options.typedJournal()).forEach(line -> err.println("callbound: " + line));
      err.flush();
    }
    return came.exitStatus();
  }
}
