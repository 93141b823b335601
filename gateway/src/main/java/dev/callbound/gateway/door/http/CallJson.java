package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.CallsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A call as {@code /v1/calls} shows it. Times are in ISO 8601, UTC. */
final class CallJson {
  private CallJson() {}

  static JsonObject of(CallsPort.Call call) {
    JsonObject json = JsonObject.of("id", Json.text(call.id())).with("run", Json.text(call.run()));
    json = known(json, "step", call.step());
    json =
        json.with("server", Json.text(call.server()))
            .with("tool", Json.text(call.tool()))
            .with("effect", Json.text(call.effect()));
    json = known(json, "key", call.key()).with("status", Json.text(call.status()));
    json = known(json, "reason", call.reason());
    json = known(json, "detail", call.detail().isEmpty() ? null : call.detail());
    json =
        json.with("attempts", Json.number(call.attempts()))
            .with("started_at", Json.text(call.started().toString()));
    json = known(json, "ended_at", call.ended());
    json = known(json, "detached_at", call.detached());
    json = call.settled() == null ? json : json.with("settled", settled(call.settled()));
    json = call.attempt() == null ? json : json.with("attempt", attempt(call.attempt()));
    return call.approval() == null ? json : json.with("approval", approval(call.approval()));
  }

  private static JsonObject attempt(CallsPort.OpenAttempt attempt) {
    JsonObject json =
        JsonObject.of("number", Json.number(attempt.number()))
            .with("started_at", Json.text(attempt.started().toString()))
            .with("age_ms", Json.number(attempt.age().toMillis()))
            .with("progress_count", Json.number(attempt.progressCount()));
    json = known(json, "last_progress_at", attempt.lastProgress());
    json = json.with("signs_of_life", Json.number(attempt.signsOfLife()));
    json = known(json, "last_sign_of_life_at", attempt.lastSign());
    return known(json, "stuck_since", attempt.stuckSince());
  }

  private static JsonObject approval(CallsPort.Approval approval) {
    JsonObject json =
        JsonObject.of("state", Json.text(approval.state()))
            .with("until", Json.text(approval.until().toString()))
            .with("arguments", Json.text(approval.arguments()))
            .with("masked", Json.bool(approval.masked()));
    json = known(json, "at", approval.at());
    return known(known(json, "who", approval.who()), "note", approval.note());
  }

  private static JsonObject settled(CallsPort.Settled settled) {
    JsonObject json =
        JsonObject.of("at", Json.text(settled.at().toString()))
            .with("by", Json.text(settled.by()))
            .with("who", Json.text(settled.who()));
    return known(json, "note", settled.note()).with("was", Json.text(settled.was()));
  }

  private static JsonObject known(JsonObject json, String name, @Nullable Instant value) {
    return known(json, name, value == null ? null : value.toString());
  }

  private static JsonObject known(JsonObject json, String name, @Nullable String value) {
    return value == null ? json : json.with(name, Json.text(value));
  }
}
