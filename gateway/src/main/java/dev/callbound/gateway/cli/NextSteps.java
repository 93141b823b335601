package dev.callbound.gateway.cli;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.policy.Reason;
import java.util.Optional;

/** What a person can do about a call that did not end well. All the texts stand here. */
final class NextSteps {
  /** For several calls at once. */
  static final String OF_DOUBT =
      "Nothing that is in doubt is sent again. Look at the server itself whether the effect is there;"
          + " callbound show CALL says what to look for.";

  private NextSteps() {}

  /** For one call; empty where there is nothing to do. */
  static Optional<String> of(CallRecord call) {
    Ending ending = call.ending();
    if (ending == null) {
      return Optional.of(
          "It is still going on. If no gateway is running, the one that made it has died: the next"
              + " start on this journal settles it, a read as stopped, a write that was sent as"
              + " unknown.");
    }
    return switch (ending.reason()) {
      case null -> Optional.empty();
      case Reason.Unknown reason -> Optional.of(ofUnknown(call, reason));
      case Reason.Stopped reason -> ofStopped(reason);
    };
  }

  private static String ofUnknown(CallRecord call, Reason.Unknown reason) {
    return ("Look at %1$s, by hand or with one of its read tools, whether %2$s took effect%3$s. If it"
            + " did, there is nothing more to do. If it did not, %4$s, and call it again. Callbound"
            + " does not send it again by itself, because nothing would tell a repeat from a second"
            + " one.")
        .formatted(Text.line(call.server()), Text.line(call.tool()), where(call), settled(reason));
  }

  private static String where(CallRecord call) {
    return call.arguments() == null
        ? " (only a digest of its arguments was kept; record: full in the config keeps them)"
        : " with the arguments above";
  }

  /** What makes "not there" reliable: the tool may still be at it. */
  private static String settled(Reason.Unknown reason) {
    return switch (reason) {
      case TIMED_OUT, CONNECTION_LOST, WORKER_DIED, CANCELLED_IN_FLIGHT ->
          "give the server the time to finish or to give up, look once more";
      case SERVER_ERROR, GARBLED_ANSWER, RESPONSE_TOO_LARGE, CHECK_FAILED -> "look once more";
    };
  }

  private static Optional<String> ofStopped(Reason.Stopped reason) {
    return switch (reason) {
      case REFUSED ->
          Optional.of("Correct what the server refused; the same call is refused again.");
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
      case CIRCUIT_OPEN, KEY_CONFLICT, DENIED, SPEND_EXHAUSTED, SPEND_UNVERIFIED ->
          Optional.empty();
    };
  }
}
