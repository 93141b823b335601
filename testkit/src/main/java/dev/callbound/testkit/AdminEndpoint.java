package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.time.Duration;

/** Lets a test look into the server and change its ways: /_ledger, /_reset and /_control. */
final class AdminEndpoint {
  private final FaultEngine engine;
  private final McpEndpoint mcp;
  private final Refusal refusal;

  /** Stops listening for a while. */
  interface Refusal {
    void refuse(Duration duration);
  }

  AdminEndpoint(FaultEngine engine, McpEndpoint mcp, Refusal refusal) {
    this.engine = engine;
    this.mcp = mcp;
    this.refusal = refusal;
  }

  void handle(HttpRequest request, HttpResponse response) {
    switch (request.method() + " " + request.path()) {
      case "GET /_ledger" ->
          McpEndpoint.send(response, 200, engine.report(mcp.sessions()), new HttpHeaders());
      case "POST /_reset" -> {
        engine.reset();
        done(response);
      }
      case "POST /_control" -> {
        try {
          JsonNode want = JsonRpc.read(request.body());
          apply(want);
          done(response);
          refuseIfWanted(want);
        } catch (IOException | IllegalArgumentException e) {
          McpEndpoint.send(
              response, 400, object("error", String.valueOf(e.getMessage())), new HttpHeaders());
        }
      }
      default ->
          McpEndpoint.send(
              response,
              404,
              object("error", "try GET /_ledger, POST /_reset or POST /_control"),
              new HttpHeaders());
    }
  }

  /** Applies all of a control request but the refusal of connections. */
  void apply(JsonNode want) {
    engine.control(want);
    if (want.path("expire_sessions").asBoolean()) {
      mcp.expireSessions();
    }
  }

  /** Refuses connections if the request says so: the last thing, because it cuts its answer too. */
  void refuseIfWanted(JsonNode want) {
    if (want.hasNonNull("refuse_ms")) {
      refusal.refuse(Duration.ofMillis(want.path("refuse_ms").asLong()));
    }
  }

  private static void done(HttpResponse response) {
    McpEndpoint.send(response, 200, object("ok", true), new HttpHeaders());
  }
}
