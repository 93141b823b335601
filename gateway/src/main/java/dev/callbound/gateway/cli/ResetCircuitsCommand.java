package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code callbound circuits reset}. */
@Command(
    name = "reset",
    header = "Let calls through again, at once.",
    description = {
      "",
      "For when you know better: the server is back, its credentials are renewed, the limit is",
      "raised. What has failed until now is forgotten; what fails from now on counts. A gateway that",
      "is running notices within about a second.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound circuits reset                    everything",
      "  callbound circuits reset crm                all tools of a server, and its credentials",
      "  callbound circuits reset crm/find           one tool"
    })
final class ResetCircuitsCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SERVER[/TOOL]",
      description = "What to let calls through to. Default: every server.")
  private @Nullable String what;

  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  ResetCircuitsCommand() {}

  @Override
  public Integer call() {
    // A server's name has no slash; a tool's may have one.
    int slash = what == null ? -1 : what.indexOf('/');
    String server = what == null || slash < 0 ? what : what.substring(0, slash);
    String tool = what == null || slash < 0 ? null : what.substring(slash + 1);
    if ((server != null && server.isBlank()) || (tool != null && tool.isBlank())) {
      throw new ParameterException(
          Program.of(spec), "name a SERVER, or a tool as SERVER/TOOL: " + what);
    }
    List<CircuitRecord> shut = new ArrayList<>();
    for (Path file : journal.files()) {
      shut.addAll(
          SqliteJournal.resetCircuitsBeside(
              file, server, tool, System.getProperty("user.name"), Instant.now()));
    }
    output.print(
        Program.of(spec),
        () -> {
          ArrayNode all = JsonNodeFactory.instance.arrayNode();
          shut.forEach(circuit -> all.add(CircuitView.json(circuit)));
          return all;
        },
        screen -> show(screen, shut));
    return ExitCode.OK;
  }

  private static void show(Screen screen, List<CircuitRecord> shut) {
    if (shut.isEmpty()) {
      screen.line("Nothing was in the way; what has failed until now is forgotten.");
    }
    shut.forEach(circuit -> screen.line(Text.line(CircuitView.name(circuit)) + " is free again."));
  }
}
