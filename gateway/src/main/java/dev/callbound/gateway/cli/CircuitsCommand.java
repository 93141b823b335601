package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.JournalReader;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code callbound circuits}. */
@Command(
    name = "circuits",
    header =
        "Show what keeps calls from a server or a tool: failures, refused credentials, a limit.",
    description = {
      "",
      "A tool that fails again and again is left alone for a while, and then tried by one call. A",
      "server that refuses the gateway's credentials is, too. A wait that a provider names to one",
      "call is kept by the others. Works while a gateway is running, and without one.",
      ""
    },
    subcommands = ResetCircuitsCommand.class,
    synopsisSubcommandLabel = "[reset [SERVER[/TOOL]]]",
    footer = {
      "",
      "Examples:",
      "  callbound circuits                          what is in the way now",
      "  callbound circuits reset crm/find           let the calls of one tool through again",
      "  callbound circuits --json | jq length       for an alert"
    })
final class CircuitsCommand implements Callable<Integer> {
  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  CircuitsCommand() {}

  @Override
  public Integer call() {
    Instant now = Instant.now();
    List<CircuitRecord> shut;
    try (JournalReader reader = journal.open()) {
      shut = reader.circuits().stream().filter(circuit -> circuit.isShut(now)).toList();
    }
    output.print(
        Program.of(spec),
        () -> {
          ArrayNode all = JsonNodeFactory.instance.arrayNode();
          shut.forEach(circuit -> all.add(CircuitView.json(circuit)));
          return all;
        },
        screen -> new CircuitView(screen, now).show(shut));
    return ExitCode.OK;
  }
}
