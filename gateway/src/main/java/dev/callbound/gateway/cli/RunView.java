package dev.callbound.gateway.cli;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A run as a person wants it in the morning. */
final class RunView {
  private final Screen screen;
  private final Style style;
  private final Times times;

  RunView(Screen screen) {
    this.screen = screen;
    this.style = screen.style();
    this.times = screen.times();
  }

  /** How long a run took, or has been going on. */
  static String took(RunRecord run) {
    Instant end = run.endedAt();
    return Times.length(Duration.between(run.createdAt(), end == null ? Instant.now() : end));
  }

  /**
   * @param calls the newest, in the order in which they were made; may be fewer than were counted
   */
  void show(RunSummary summary, List<CallRecord> calls) {
    RunRecord run = summary.run();
    OutcomeCounts outcomes = summary.outcomes();
    header(run, outcomes);
    summary.outputs().forEach(output -> output(output, run));
    if (calls.isEmpty()) {
      return;
    }
    ShortIds ids = new ShortIds(calls.stream().map(CallRecord::id).toList());
    screen.blank();
    if (outcomes.total() > calls.size()) {
      screen.line("The last " + calls.size() + " of " + outcomes.total() + " calls:");
    }
    table(run, calls, ids);
    List<CallRecord> unknown = calls.stream().filter(RunView::isUnknown).toList();
    if (!unknown.isEmpty()) {
      screen.blank();
      screen.heading("In doubt");
      for (CallRecord call : unknown) {
        doubt(call, ids);
      }
      screen.blank();
      screen.paragraph(NextSteps.OF_DOUBT, "  ");
    }
  }

  private void header(RunRecord run, OutcomeCounts outcomes) {
    screen.heading("Run " + run.id());
    if (run.name() != null) {
      screen.field("name", Text.line(run.name()));
    }
    String state = run.state().code();
    String because = run.endedBecause();
    screen.field("state", state, screen.outcome(state));
    screen.field("client", Text.line(run.client()) + ", for " + Text.line(run.principal()));
    screen.field(
        "started",
        times.whole(run.createdAt())
            + ", to be over by "
            + times.beside(run.deadline(), run.createdAt()));
    Instant ended = run.endedAt();
    if (ended != null) {
      screen.field(
          "ended",
          times.beside(ended, run.createdAt())
              + ", after "
              + took(run)
              + (because == null ? "" : ": " + Text.line(because)));
    }
    screen.field("retries", run.retriesUsed() + " of " + run.retryLimit() + " used");
    String spent = spent(run);
    if (!spent.isEmpty()) {
      screen.field("spent", spent);
    }
    screen.field("calls", counts(outcomes));
  }

  /** What a run has spent of what it may; empty where there is nothing to say. */
  static String spent(RunRecord run) {
    if (run.spendLimit() != null) {
      return "%s of %s, %s left"
          .formatted(run.spent(), run.spendLimit(), run.spendLimit().less(run.spent()));
    }
    return run.spent().isZero() ? "" : run.spent().toString();
  }

  private void output(OutputRecord output, RunRecord run) {
    String state =
        output.there()
            ? "there since " + times.beside(output.since(), run.createdAt())
            : output.isFinal() || output.detail() != null
                ? "missing" + (output.detail() == null ? "" : ": " + Text.line(output.detail()))
                : "not looked for yet";
    screen.field(
        "expected",
        Text.line(output.output()) + ", " + state,
        screen.outcome(output.there() ? "ok" : output.isFinal() ? "unknown" : "open"));
  }

  /** The calls in words, by how they ended. */
  static String counts(OutcomeCounts outcomes) {
    if (outcomes.total() == 0) {
      return "none";
    }
    List<String> parts = new ArrayList<>();
    add(parts, outcomes.ok(), "ok");
    add(parts, outcomes.stopped(), "stopped");
    add(parts, outcomes.unknown(), "unknown");
    add(parts, outcomes.open(), "open");
    return parts.size() == 1
        ? parts.getFirst()
        : outcomes.total() + ": " + String.join(", ", parts);
  }

  private static void add(List<String> parts, int count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }

  private void table(RunRecord run, List<CallRecord> calls, ShortIds ids) {
    Table table =
        new Table(style, 5, "  ", "CALL", "STARTED", "TOOK", "OUTCOME", "EFFECT", "TOOL", "TRIES");
    for (CallRecord call : calls) {
      Ending ending = call.ending();
      String status = ending == null ? "open" : ending.status().code();
      table.row(
          Table.Cell.of(ids.of(call.id())),
          Table.Cell.of(times.beside(call.startedAt(), run.createdAt())),
          Table.Cell.of(
              ending == null
                  ? ""
                  : Times.length(Duration.between(call.startedAt(), ending.endedAt()))),
          new Table.Cell(outcome(call), screen.outcome(status)),
          new Table.Cell(
              call.effect().name().toLowerCase(Locale.ROOT),
              call.effect() == Effect.WRITE ? style::bold : style::dim),
          Table.Cell.of(Text.line(call.server() + " " + call.tool())),
          Table.Cell.of(ending == null ? "" : Integer.toString(ending.attempts())));
    }
    screen.lines(table.lines());
  }

  private static String outcome(CallRecord call) {
    Ending ending = call.ending();
    if (ending == null) {
      return "open";
    }
    String status = ending.status().code();
    if (call.settled() != null) {
      return status + ", settled";
    }
    return ending.reason() == null ? status : status + " " + ending.reason().code();
  }

  private void doubt(CallRecord call, ShortIds ids) {
    Ending ending = call.ending();
    String detail = ending == null ? "" : Text.line(ending.detail());
    screen.line(
        "  "
            + style.alarming(ids.of(call.id()))
            + "  "
            + Text.line(call.server() + " " + call.tool())
            + " at "
            + times.whole(call.startedAt()));
    screen.paragraph(detail, "    ");
  }

  private static boolean isUnknown(CallRecord call) {
    Ending ending = call.ending();
    return ending != null && ending.status() == Ending.Status.UNKNOWN;
  }
}
