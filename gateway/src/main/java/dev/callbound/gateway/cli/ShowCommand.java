package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code callbound show}. */
@Command(
    name = "show",
    header = "Show what happened in a run, or in one call, attempt by attempt.",
    description = {"", "Works while a gateway is running, and without one.", ""},
    footer = {
      "",
      "Examples:",
      "  callbound show r_01kbdq2x4m                 a run: its calls, and what is in doubt",
      "  callbound show c_01kbdq2xa7                 a call: every attempt, and why it ended so"
    })
final class ShowCommand implements Callable<Integer> {
  /** Far more calls than a person reads. */
  private static final int MOST_CALLS = 1_000;

  @Parameters(
      index = "0",
      paramLabel = "RUN|CALL",
      description = "An id, or as much of its beginning as tells it from others.")
  private String id = "";

  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  ShowCommand() {}

  @Override
  public Integer call() {
    try (JournalReader reader = journal.open()) {
      String whole = TypedId.whole(reader, id);
      if (whole.startsWith(Ids.RUN)) {
        showRun(reader, found(reader.run(whole), whole));
      } else {
        showCall(reader, found(reader.call(whole), whole));
      }
    }
    return ExitCode.OK;
  }

  private static <T> T found(Optional<T> record, String id) {
    return record.orElseThrow(() -> new CommandFailedException("there is no " + id));
  }

  private void showRun(JournalReader reader, RunRecord run) {
    RunSummary summary = RunSummary.of(run, reader);
    List<CallRecord> calls = reader.callsOf(run.id(), MOST_CALLS);
    output.print(
        Program.of(spec),
        () -> {
          ObjectNode json = summary.toJson();
          ArrayNode all = json.putArray("calls");
          calls.forEach(call -> all.add(RecordJson.call(call)));
          return json;
        },
        screen -> new RunView(screen).show(summary, calls));
  }

  private void showCall(JournalReader reader, CallRecord call) {
    CallHistory history = CallHistory.of(reader, call);
    String options = journal.typed();
    output.print(
        Program.of(spec),
        () -> RecordJson.call(history, options),
        screen -> new CallView(screen).show(history, options));
  }
}
