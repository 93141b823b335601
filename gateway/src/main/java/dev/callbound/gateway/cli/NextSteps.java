package dev.callbound.gateway.cli;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.FailureRecord;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import java.util.List;
import java.util.Optional;

/** What a person can do about a call that did not end well. All the texts stand here. */
final class NextSteps {
  /** For several calls at once. */
  static final String OF_DOUBT =
      "Look at the server itself whether the effect is there: callbound show CALL says what to look"
          + " for, and callbound settle CALL --landed or --not-landed records what you found.";

  private NextSteps() {}

  /**
   * For one call; empty where there is nothing to do.
   *
   * @param options what a command about the same journal needs, with a space before each
   */
  static Optional<Advice> of(CallHistory history, String options) {
    CallRecord call = history.call();
    Ending ending = call.ending();
    ApprovalRecord approval = history.approval();
    if (ending == null && approval != null && approval.ruling() == null) {
      return Optional.of(ofWaiting(call, options));
    }
    if (ending == null) {
      return Optional.of(
          Advice.of(
              "It is still going on. If no gateway is running, the one that made it has died: the"
                  + " next start on this journal takes it up. A write whose repeat is recognised goes"
                  + " on, and so does a read that somebody comes back for; any other write that was"
                  + " sent ends unknown, any other read stopped."));
    }
    return switch (ending.reason()) {
      case null -> Optional.empty();
      case Reason.Unknown reason -> Optional.of(ofUnknown(history, reason, options));
      case Reason.Stopped reason ->
          ofStopped(isToolsOwnOfWrite(history) ? Reason.Stopped.TOOL_ERROR : reason)
              .map(Advice::of);
    };
  }

  /** A status in the text of a write's error does not undo what the write had done by then. */
  private static boolean isToolsOwnOfWrite(CallHistory history) {
    List<AttemptRecord> attempts = history.attempts();
    AttemptEnd end = attempts.isEmpty() ? null : attempts.getLast().end();
    FailureRecord failure = end == null ? null : end.failure();
    return history.call().effect() == Effect.WRITE && failure != null && failure.isToolError();
  }

  private static Advice ofWaiting(CallRecord call, String options) {
    String id = new ShortIds(List.of(call.id())).of(call.id());
    return new Advice(
        "Nothing has been sent: it waits until somebody says whether it may be made.",
        List.of(
            new Advice.Command("callbound approve " + id + options, "if it may"),
            new Advice.Command("callbound deny " + id + options, "if it must not")),
        "");
  }

  private static Advice ofUnknown(CallHistory history, Reason.Unknown reason, String options) {
    CallRecord call = history.call();
    String server = Text.line(call.server());
    String settle = "callbound settle " + new ShortIds(List.of(call.id())).of(call.id());
    return new Advice(
        "Look at %s, by hand or with one of its read tools, whether %s took effect%s. %s Then say what"
                .formatted(server, Text.line(call.tool()), where(history), patience(reason))
            + " you found:",
        List.of(
            new Advice.Command(settle + " --landed" + options, "if it did"),
            new Advice.Command(settle + " --not-landed" + options, "if it did not")),
        switch (call.recognition()) {
          case NONE ->
              "Until then a repeat of it is told this and is not sent, because nothing would tell it"
                  + " from a second one.";
          case KEY ->
              "Or have it made again: it goes out under the same key, so that %s does not do it twice."
                  .formatted(server);
          case CHECK ->
              "Or have it made again: %s is asked first whether the effect is there."
                  .formatted(server);
        });
  }

  private static String where(CallHistory history) {
    return history.arguments() == null
        ? " (only a digest of its arguments was kept; record: full in the config keeps them)"
        : " with the arguments above";
  }

  /** What makes "not there" reliable: the tool may still be at it. */
  private static String patience(Reason.Unknown reason) {
    return switch (reason) {
      case TIMED_OUT, CONNECTION_LOST, WORKER_DIED, CANCELLED_IN_FLIGHT ->
          "It may still be at it: before you take it that it did not, give it the time to finish.";
      case SERVER_ERROR, GARBLED_ANSWER, RESPONSE_TOO_LARGE, CHECK_FAILED ->
          "Before you take it that it did not, look once more.";
    };
  }

  private static Optional<String> ofStopped(Reason.Stopped reason) {
    return switch (reason) {
      case REFUSED ->
          Optional.of(
              "Correct what the server refused; the same call is refused again. If it was the"
                  + " credentials (401), renew them, and callbound circuits reset lets calls through.");
      case TOOL_ERROR ->
          Optional.of("Read the tool's own error; what it had done by then, only it can say.");
      case RATE_LIMITED, RETRIES_EXHAUSTED, NO_TIME_LEFT, DEADLINE_EXCEEDED, CANCELLED ->
          Optional.of("Nothing is in doubt: the call may be made again.");
      case RESPONSE_TOO_LARGE ->
          Optional.of("Ask the tool for less, or raise max_result in the config.");
      case UNSAFE_ENDPOINT ->
          Optional.of(
              "If the address is meant, allow it with allow_addresses for this server in the config.");
      case RETRY_BUDGET_SPENT ->
          Optional.of("Find out what kept failing; a new run has new retries (run.retries).");
      case INVALID_ARGUMENTS -> Optional.of("Nothing was sent; correct the arguments.");
      case RUN_OVER -> Optional.of("Nothing was sent; make the call in a new run.");
      case DENIED -> Optional.of("Nothing was sent: somebody said no, and the detail says who.");
      case CIRCUIT_OPEN ->
          Optional.of(
              "Nothing is in doubt: the call may be made again once calls pass; callbound circuits"
                  + " says when.");
      case SPEND_EXHAUSTED ->
          Optional.of("See what it was spent on; a new run may spend as much again (run.spend).");
      case KEY_CONFLICT, SPEND_UNVERIFIED -> Optional.empty();
    };
  }
}
