package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code callbound waiting}. */
@Command(
    name = "waiting",
    header = "List the calls that wait for a person to approve them, the oldest first.",
    description = {
      "",
      "Shows for each what will be sent if it is approved; *** stands for what is masked in it.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound waiting                           what waits",
      "  callbound approve CALL                      it is made",
      "  callbound deny CALL --note TEXT             it is not, and its client is told why",
      "  callbound waiting --json | jq length        for an alert"
    })
final class WaitingCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 1_000;

  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();
  @Mixin private LimitOption limit = new LimitOption();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  WaitingCommand() {}

  private record Waits(CallRecord call, ApprovalRecord approval) {}

  @Override
  public Integer call() {
    List<Waits> calls;
    try (JournalReader reader = journal.open()) {
      calls =
          reader.tasks().waiting(limit.value()).stream()
              .flatMap(
                  approval ->
                      reader.call(approval.call()).stream().map(call -> new Waits(call, approval)))
              .toList();
    }
    output.print(
        Program.of(spec),
        () -> {
          ArrayNode all = JsonNodeFactory.instance.arrayNode();
          for (Waits each : calls) {
            ObjectNode json = RecordJson.call(each.call());
            json.set("approval", RecordJson.approval(each.approval()));
            all.add(json);
          }
          return all;
        },
        screen -> show(screen, calls));
    return ExitCode.OK;
  }

  private static void show(Screen screen, List<Waits> calls) {
    if (calls.isEmpty()) {
      screen.line("Nothing waits to be approved.");
      return;
    }
    ShortIds ids = new ShortIds(calls.stream().map(each -> each.call().id()).toList());
    for (Waits each : calls) {
      CallRecord call = each.call();
      ApprovalRecord approval = each.approval();
      screen.heading(
          "%s  %s on %s"
              .formatted(ids.of(call.id()), Text.line(call.tool()), Text.line(call.server())));
      screen.field("since", screen.times().whole(approval.askedAt()));
      screen.field("until", screen.times().whole(approval.until()));
      screen.field("will be sent", arguments(approval));
      screen.blank();
    }
    screen.paragraph(
        "callbound approve CALL lets one be made; callbound deny CALL keeps it from being made.",
        "");
  }

  /** As people see them. */
  static String arguments(ApprovalRecord approval) {
    String whole = Text.plain(approval.arguments());
    String shown =
        whole.length() <= MOST_SHOWN
            ? whole
            : whole.substring(0, MOST_SHOWN)
                + "… ("
                + whole.length()
                + " characters; all with --json)";
    return approval.masked() ? shown + " (*** is masked here, and sent as it is)" : shown;
  }
}
