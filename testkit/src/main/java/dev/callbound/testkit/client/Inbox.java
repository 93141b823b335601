package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.JsonRpc;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Takes what a server sends besides answers: notifications, and requests. Thread-safe. */
final class Inbox {
  private final List<JsonNode> notifications = new CopyOnWriteArrayList<>();
  private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  private final Consumer<JsonNode> listener;
  private final Answer.Source answers;

  Inbox(Consumer<JsonNode> listener, Answer.Source answers) {
    this.listener = listener;
    this.answers = answers;
  }

  List<JsonNode> notifications() {
    return List.copyOf(notifications);
  }

  List<JsonNode> requests() {
    return List.copyOf(requests);
  }

  /**
   * Takes a message; a request is answered through {@code reply}, on a thread of its own.
   *
   * @return whether it was a notification or a request
   */
  boolean take(JsonNode message, Consumer<JsonNode> reply) {
    if (JsonRpc.isRequest(message)) {
      requests.add(message);
      Thread.ofVirtual().start(() -> answer(message, reply));
      return true;
    }
    if (message.has("method")) {
      notifications.add(message);
      listener.accept(message);
      return true;
    }
    return false;
  }

  /** What the client answers to such a request. */
  Answer answerTo(String method, JsonNode params) throws InterruptedException {
    return answers.answer(method, params);
  }

  private void answer(JsonNode request, Consumer<JsonNode> reply) {
    String method = request.path("method").asText();
    JsonNode id = request.path("id");
    try {
      switch (answerTo(method, request.path("params"))) {
        case Answer.Result(JsonNode result) -> reply.accept(JsonRpc.result(id, result));
        case Answer.Refusal(int code, String text) ->
            reply.accept(JsonRpc.error(id, code, text, null));
        case Answer.Silence() -> {
          // As asked for: the server hears nothing.
        }
        case Answer.Standard() ->
            reply.accept(
                method.equals("ping")
                    ? JsonRpc.result(id, JsonRpc.object())
                    : JsonRpc.error(id, -32601, "Method not found: " + method, null));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
