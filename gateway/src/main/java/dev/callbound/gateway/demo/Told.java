package dev.callbound.gateway.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.policy.Reason;
import java.util.Locale;

/**
 * What the gateway said of a call: to its client, or to the journal.
 *
 * @param reason the code of the reason; empty when ok
 */
record Told(Status status, String reason) {
  private static final String FACTS = "dev.callbound/outcome";

  /** What the answer to a client says, a JSON-RPC response. */
  static Told by(JsonNode response) {
    JsonNode result = response.path("result");
    if (!result.isObject()) {
      throw new BrokenDemoException("the gateway answered no result: " + response);
    }
    if (!result.path("isError").asBoolean()) {
      return new Told(Status.OK, "");
    }
    JsonNode facts = result.path("_meta").path(FACTS);
    if (facts.isMissingNode()) {
      // An error of the tool itself is passed on as it is.
      return new Told(Status.STOPPED, Reason.Stopped.TOOL_ERROR.code());
    }
    Status status = Status.valueOf(facts.path("status").asText().toUpperCase(Locale.ROOT));
    return new Told(status, facts.path("reason").asText());
  }

  /** What the journal says. */
  static Told by(Ending ending) {
    Reason reason = ending.reason();
    return new Told(ending.status(), reason == null ? "" : reason.code());
  }

  /** What a client that takes its word believes. */
  Belief belief() {
    return switch (status) {
      case OK -> Belief.DONE;
      case STOPPED -> Belief.FAILED;
      case UNKNOWN -> Belief.UNKNOWN;
    };
  }

  /** The outcome and its reason, such as {@code unknown: timed_out}. */
  @Override
  public String toString() {
    return reason.isEmpty() ? status.code() : status.code() + ": " + reason;
  }
}
