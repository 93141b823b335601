package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code callbound unknown}. */
@Command(
    name = "unknown",
    header = "List the writes that may or may not have happened, the newest first.",
    description = {
      "",
      "These are the calls that somebody has to look at: the request was sent, and no answer and no",
      "check has told what became of it. It is not sent again unless a repeat is recognised.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound unknown                           what is in doubt",
      "  callbound show CALL                         what is known of one, and what to do",
      "  callbound settle CALL --landed              you looked, and it took effect",
      "  callbound unknown --json | jq length        for an alert"
    })
final class UnknownCommand implements Callable<Integer> {
  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();
  @Mixin private LimitOption limit = new LimitOption();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  UnknownCommand() {}

  @Override
  public Integer call() {
    List<CallRecord> calls;
    try (JournalReader reader = journal.open()) {
      calls = reader.unknowns(limit.value());
    }
    output.print(
        Program.of(spec),
        () -> {
          ArrayNode all = JsonNodeFactory.instance.arrayNode();
          calls.forEach(call -> all.add(RecordJson.call(call)));
          return all;
        },
        screen -> show(screen, calls));
    return ExitCode.OK;
  }

  private static void show(Screen screen, List<CallRecord> calls) {
    if (calls.isEmpty()) {
      screen.line("Nothing is in doubt.");
      return;
    }
    ShortIds ids = new ShortIds(calls.stream().map(CallRecord::id).toList());
    ShortIds runs = new ShortIds(calls.stream().map(CallRecord::run).toList());
    Table table = new Table(screen.style(), 2, "", "CALL", "STARTED", "TOOL", "REASON", "RUN");
    for (CallRecord call : calls) {
      Ending ending = call.ending();
      String reason = ending == null || ending.reason() == null ? "" : ending.reason().code();
      table.row(
          Table.Cell.of(ids.of(call.id())),
          Table.Cell.of(screen.times().brief(call.startedAt())),
          Table.Cell.of(Text.line(call.server() + " " + call.tool())),
          new Table.Cell(reason, screen.style()::alarming),
          Table.Cell.of(runs.of(call.run())));
    }
    screen.lines(table.lines());
    screen.blank();
    screen.paragraph(
        "callbound show CALL says what is known of one, and what to look for; callbound settle CALL"
            + " --landed or --not-landed records what you found.",
        "");
  }
}
