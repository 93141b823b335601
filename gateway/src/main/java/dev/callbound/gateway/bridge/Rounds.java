package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;

/**
 * A request, the rounds of questions that a server may need before it answers (MCP 2026-07-28,
 * multi round-trip requests), and the task that it may make of the request. All of it together is
 * one attempt.
 */
final class Rounds {
  /** A server that keeps asking is not followed for ever. */
  private static final int MOST = 20;

  private Rounds() {}

  /** Sends the request, and again with the answers for as long as the server asks. */
  static Reply<Json> send(UpstreamServer server, String method, JsonObject params, Live live) {
    JsonObject next = params;
    for (int round = 0; round < MOST; round++) {
      Reply<Json> reply = server.request(method, next, live);
      if (!(reply instanceof Reply.Answered<Json>(Json result))) {
        return live.believed(reply);
      }
      if (!InputRequired.is(result)) {
        UpstreamTask task = UpstreamTask.in(result, server, live);
        return task == null ? reply : task.await();
      }
      live.arrived();
      try {
        next = InputRequired.continued(params, result, InputRequired.answers(result, live));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Reply.failed(new Failure.Broken("ended while the client was being asked"));
      }
    }
    return Reply.failed(
        new Failure.Garbled("the server asked " + MOST + " times and did not answer"));
  }
}
