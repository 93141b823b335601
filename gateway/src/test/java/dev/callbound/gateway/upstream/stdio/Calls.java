package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Calls of tools, as the tests make them. */
final class Calls {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private Calls() {}

  /** A call on a thread of its own. */
  record Begun(
      Thread thread, CompletableFuture<Reply<Json>> reply, CompletableFuture<Boolean> flag) {
    Reply<Json> await() throws Exception {
      return reply.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  static Reply<Json> call(StdioServer server, String tool, String arguments, Exchange exchange)
      throws Exception {
    return begin(server, tool, arguments, exchange).await();
  }

  static Reply<Json> call(StdioServer server, String tool, String arguments) throws Exception {
    return call(server, tool, arguments, new RecordingExchange());
  }

  static Begun begin(StdioServer server, String tool, String arguments, Exchange exchange) {
    CompletableFuture<Reply<Json>> reply = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    reply.complete(server.request("tools/call", params(tool, arguments), exchange));
                  } catch (RuntimeException | Error e) {
                    reply.completeExceptionally(e);
                  }
                  flag.complete(Thread.currentThread().isInterrupted());
                });
    return new Begun(thread, reply, flag);
  }

  /** A call that is given up after a time, as a deadline does it. */
  static Reply<Json> within(
      Duration deadline, StdioServer server, String tool, String arguments, Exchange exchange)
      throws Exception {
    Begun begun = begin(server, tool, arguments, exchange);
    if (!begun.thread().join(deadline)) {
      begun.thread().interrupt();
    }
    return begun.await();
  }

  static String text(Reply<Json> reply) {
    if (reply instanceof Reply.Answered<Json>(Json result)) {
      return String.valueOf(result.at("content").elements().getFirst().textAt("text"));
    }
    throw new AssertionError("no answer: " + reply);
  }

  static Failure failure(Reply<?> reply) {
    if (reply instanceof Reply.Failed<?> failed) {
      return failed.failure();
    }
    throw new AssertionError("no failure: " + reply);
  }

  private static JsonObject params(String tool, String arguments) {
    return JsonObject.of("name", Json.text(tool)).with("arguments", Json.of(arguments));
  }
}
