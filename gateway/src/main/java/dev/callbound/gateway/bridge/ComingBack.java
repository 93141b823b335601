package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.journal.CallRecord;
import dev.callbound.policy.Effect;
import java.time.Duration;
import java.util.List;

/**
 * What a model and its program are told about a call that takes longer than a client waits: when
 * they stop waiting, and when they come back. Texts as {@link Answers} has them. Pure.
 */
final class ComingBack {
  private ComingBack() {}

  /**
   * The answer to a client that has waited long enough.
   *
   * @param tool the name that it called the tool by
   * @param structured whether the tool promises a structured result: clients refuse one that is
   *     missing, unless the result says that it is an error
   */
  static Json detached(
      String tool, Conversation.Reference call, Standing standing, boolean structured) {
    String what =
        standing.approval()
            ? "%s has not been sent: it waits for a person to approve it, as call %s."
                .formatted(tool, call.call())
            : "%s is not done after %s and goes on without you, as call %s."
                .formatted(tool, Answers.spoken(standing.age()), call.call());
    String next =
        "Get its result with %s and this call id; until then do other work. Do not call %s again for it."
            .formatted(AwaitTool.NAME, tool);
    return working(what, next, call, standing, structured);
  }

  /** The answer to one that has come back too early. */
  static Json working(CallRecord call, Standing standing) {
    String what =
        standing.approval()
            ? "Call %s of %s has not been sent: it waits for a person to approve it."
                .formatted(call.id(), call.tool())
            : "Call %s of %s is still working: %s."
                .formatted(call.id(), call.tool(), standing.text());
    String next =
        "Ask again with %s, or go on with work that does not depend on it."
            .formatted(AwaitTool.NAME);
    return working(what, next, new Conversation.Reference(call.run(), call.id()), standing, false);
  }

  /** What one gets that comes back for a call which ended well, and whose result nobody has. */
  static Json withoutResult(CallRecord call, Duration ago) {
    boolean read = call.effect() == Effect.READ;
    String text =
        "Call %s of %s ended %s ago, and its result is not on record. "
                .formatted(call.id(), call.tool(), Answers.spoken(ago))
            + (read
                ? "It only reads: call it again."
                : "It took effect: do not make it again; use a read tool where you need what it left.");
    return result(text, ok(call), false);
  }

  /** A result that lacks what the record does not keep. */
  static Json masked(Json result, CallRecord call) {
    JsonObject members = result.asObject().orElse(JsonObject.EMPTY);
    JsonObject facts = ok(call).with("masked", Json.TRUE);
    return members
        .with("_meta", members.object("_meta").with(Answers.FACTS, facts).toJson())
        .toJson();
  }

  private static JsonObject ok(CallRecord call) {
    return JsonObject.of("status", Json.text("ok"))
        .with("run", Json.text(call.run()))
        .with("call", Json.text(call.id()));
  }

  private static Json working(
      String what, String next, Conversation.Reference call, Standing standing, boolean isError) {
    JsonObject facts =
        JsonObject.of("status", Json.text("working"))
            .with("run", Json.text(call.run()))
            .with("call", Json.text(call.call()))
            .with("attempt", Json.number(standing.attempt()));
    facts = millis(facts, "age_ms", standing.age());
    if (standing.attemptAge() != null) {
      facts = millis(facts, "attempt_age_ms", standing.attemptAge());
    }
    if (standing.lastProgress() != null) {
      facts = millis(facts, "last_progress_age_ms", standing.lastProgress());
    }
    if (standing.approval()) {
      facts = facts.with("waits_for", Json.text("approval"));
    }
    return result(what + " " + next, facts.with("next", Json.text(next)), isError);
  }

  private static JsonObject millis(JsonObject facts, String name, Duration time) {
    return facts.with(name, Json.number(time.toMillis()));
  }

  private static Json result(String text, JsonObject facts, boolean isError) {
    JsonObject content = JsonObject.of("type", Json.text("text")).with("text", Json.text(text));
    return JsonObject.of("content", Json.array(List.of(content.toJson())))
        .with("isError", Json.bool(isError))
        .with("_meta", JsonObject.of(Answers.FACTS, facts.toJson()))
        .toJson();
  }
}
