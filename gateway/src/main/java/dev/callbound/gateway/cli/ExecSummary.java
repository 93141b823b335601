package dev.callbound.gateway.cli;

import dev.callbound.gateway.cli.BoundedCommand.Cause;
import dev.callbound.gateway.cli.BoundedCommand.Ended;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a command and its run: the exit status that says it, and at most ten lines.
 *
 * @param unknown the newest of the calls that are in doubt
 * @param refused how many calls were stopped because the run had no retries or no money left
 */
record ExecSummary(Ended ended, RunSummary summary, List<CallRecord> unknown, long refused) {
  private static final int MOST_CALLS = 1_000;
  private static final int MOST_UNKNOWN_SHOWN = 3;
  private static final int MOST_MISSING_SHOWN = 2;

  ExecSummary {
    unknown = List.copyOf(unknown);
  }

  static ExecSummary of(Ended ended, JournalReader journal, String run) {
    List<CallRecord> calls = journal.callsOf(run, MOST_CALLS);
    return new ExecSummary(
        ended,
        RunSummary.of(journal.run(run).orElseThrow(), journal),
        calls.stream().filter(ExecSummary::isUnknown).toList(),
        calls.stream().filter(ExecSummary::foundNothingLeft).count());
  }

  private RunRecord run() {
    return summary.run();
  }

  private List<OutputRecord> missing() {
    return summary.outputs().stream().filter(output -> !output.there()).toList();
  }

  private static boolean isUnknown(CallRecord call) {
    Ending ending = call.ending();
    return ending != null && ending.status() == Ending.Status.UNKNOWN;
  }

  private static boolean foundNothingLeft(CallRecord call) {
    Ending ending = call.ending();
    return ending != null
        && (ending.reason() == Reason.Stopped.RETRY_BUDGET_SPENT
            || ending.reason() == Reason.Stopped.SPEND_EXHAUSTED);
  }

  /** The command's status, unless there is something more that whoever started it must know. */
  int exitStatus() {
    if (ended.cause() == Cause.DEADLINE) {
      return ExitCode.PAST_DEADLINE;
    }
    if (run().state() == RunState.UNKNOWN) {
      return ExitCode.IN_DOUBT;
    }
    return ended.trouble() == null ? ended.status() : ExitCode.NOT_EXECUTED;
  }

  /** Whether nobody needs to look at it. */
  boolean isAllWell() {
    return ended.cause() == Cause.ITSELF
        && ended.status() == 0
        && ended.trouble() == null
        && run().state() == RunState.DONE
        && refused == 0
        && missing().isEmpty();
  }

  /**
   * The lines.
   *
   * @param options what a command about the same journal needs, with a space before each
   */
  List<String> lines(String options) {
    List<String> lines = new ArrayList<>();
    String name = run().name() == null ? "" : " (" + Text.line(run().name()) + ")";
    lines.add(
        "run %s%s %s after %s: %s"
            .formatted(run().id(), name, run().state().code(), RunView.took(run()), whatEndedIt()));
    String trouble = ended.trouble();
    if (trouble != null) {
      lines.add("the run could not be ended: " + Text.line(trouble));
    }
    OutcomeCounts outcomes = summary.outcomes();
    String spent = RunView.spent(run());
    lines.add(
        "%s; %d of %d retries used%s%s"
            .formatted(
                outcomes.total() == 0 ? "no calls" : "calls: " + RunView.counts(outcomes),
                run().retriesUsed(),
                run().retryLimit(),
                spent.isEmpty() ? "" : "; spent " + spent,
                refused == 0
                    ? ""
                    : "; " + Text.count(refused, "call") + " stopped, for there was nothing left"));
    // With that line, too, there are ten at most.
    int mostUnknown = trouble == null ? MOST_UNKNOWN_SHOWN : MOST_UNKNOWN_SHOWN - 1;
    for (CallRecord call : unknown.stream().limit(mostUnknown).toList()) {
      Ending ending = call.ending();
      lines.add(
          "in doubt: %s %s %s, %s"
              .formatted(
                  call.id(),
                  Text.line(call.server()),
                  Text.line(call.tool()),
                  ending == null || ending.reason() == null ? "" : ending.reason().code()));
    }
    if (outcomes.unknown() > mostUnknown) {
      lines.add("in doubt: " + (outcomes.unknown() - mostUnknown) + " more");
    }
    for (OutputRecord output : missing().stream().limit(MOST_MISSING_SHOWN).toList()) {
      String why = output.detail() == null ? "" : ": " + Text.line(output.detail());
      lines.add("missing: " + Text.line(output.output()) + why);
    }
    if (missing().size() > MOST_MISSING_SHOWN) {
      lines.add("missing: " + (missing().size() - MOST_MISSING_SHOWN) + " more");
    }
    lines.add("more: callbound show " + run().id() + options);
    return lines;
  }

  private String whatEndedIt() {
    return switch (ended.cause()) {
      case ITSELF -> "the command ended with status " + ended.status();
      case DEADLINE -> "its deadline passed, and the command was ended";
      case RUN_OVER ->
          "the run was ended, and the command with it, which ended with status " + ended.status();
    };
  }
}
