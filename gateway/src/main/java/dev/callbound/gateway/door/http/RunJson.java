package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;

/** A run as {@code /v1/runs} shows it. Times are in ISO 8601, UTC. */
final class RunJson {
  private RunJson() {}

  static JsonObject of(RunsPort.Run run) {
    JsonObject json = JsonObject.of("id", Json.text(run.id()));
    if (run.name() != null) {
      json = json.with("name", Json.text(run.name()));
    }
    json =
        json.with("state", Json.text(run.state().code()))
            .with("started_at", Json.text(run.created().toString()))
            .with("deadline", Json.text(run.deadline().toString()))
            .with("retry_limit", Json.number(run.retries()))
            .with("retries_used", Json.number(run.retriesUsed()))
            .with("calls", Json.number(run.calls()));
    if (run.spend() != null) {
      json = json.with("spend_limit", Json.of(run.spend()));
    }
    if (run.spent() != null) {
      json = json.with("spent", Json.of(run.spent()));
    }
    if (run.ended() != null) {
      json = json.with("ended_at", Json.text(run.ended().toString()));
    }
    if (run.reason() != null) {
      json = json.with("ended_because", Json.text(run.reason()));
    }
    return run.outputs().isEmpty()
        ? json
        : json.with(
            "outputs",
            Json.array(run.outputs().stream().map(output -> of(output).toJson()).toList()));
  }

  private static JsonObject of(RunsPort.Output output) {
    JsonObject json =
        JsonObject.of("output", Json.text(output.output()))
            .with("state", Json.text(output.there() ? "there" : "missing"))
            .with("since", Json.text(output.since().toString()))
            .with("final", Json.bool(output.isFinal()));
    return output.detail() == null ? json : json.with("detail", Json.text(output.detail()));
  }
}
