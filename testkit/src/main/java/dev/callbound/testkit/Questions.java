package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.JsonRpc;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The requests that this server has sent to clients and not been answered yet. Thread-safe. */
final class Questions {
  private final Map<String, Open> open = new ConcurrentHashMap<>();

  private record Open(String method, BlockingQueue<JsonNode> answer) {}

  /** Asks the client and waits for its answer; null if none came in time. */
  @Nullable JsonNode ask(Exchange exchange, String method, JsonNode params, Duration timeout)
      throws InterruptedException {
    String id = send(exchange, method, params);
    Open question = open.get(id);
    try {
      return question == null
          ? null
          : question.answer.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      open.remove(id);
    }
  }

  /** Asks without waiting; an answer is noted and then forgotten. */
  String send(Exchange exchange, String method, JsonNode params) {
    String id = "srv-" + UUID.randomUUID().toString().substring(0, 8);
    open.put(id, new Open(method, new ArrayBlockingQueue<>(1)));
    exchange.message(JsonRpc.request(id, method, params));
    return id;
  }

  /** Takes a client's answer, and says what had been asked; null if nothing had. */
  @Nullable String answered(JsonNode message) {
    Open question = open.get(message.path("id").asText());
    if (question == null) {
      return null;
    }
    JsonNode answer =
        message.has("result")
            ? message.path("result")
            : JsonRpc.object("error", message.path("error"));
    // A second answer to the same question finds the place taken and is dropped.
    boolean first = question.answer.offer(answer);
    return first ? question.method : null;
  }
}
