package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Unattended;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * Messages that get no answer: notifications, and our answers to the server's questions. Each is
 * sent once and bounded; a message that can't be delivered is dropped. Thread-safe.
 */
final class OneWay {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final int ANSWER_BYTES = 4_096;

  private final Sender sender;

  OneWay(Sender sender) {
    this.sender = sender;
  }

  /**
   * Sends a message and waits until it was taken, bounded. Called on threads of this package only.
   *
   * @return whether the server took it
   */
  boolean post(Terms terms, Message message) {
    String method = message instanceof Message.Notification(String name, _) ? name : null;
    return send(
        terms,
        new Sender.Outgoing(
            "POST", Headers.post(terms, method, JsonObject.EMPTY, Map.of()), message::toBytes));
  }

  /** Ends the session at the server, if there is one; waits, bounded. */
  void endSession(Terms terms) {
    if (terms.session() != null) {
      send(terms, new Sender.Outgoing("DELETE", Headers.stream(terms, null), null));
    }
  }

  /**
   * Withdraws a request, beside the caller. Since 2026-07-28 the end of the connection says it
   * already (MCP 2026-07-28, Cancellation).
   */
  void cancel(Terms terms, Json requestId) {
    if (terms.revision().hasSessions()) {
      beside(
          terms,
          new Message.Notification(
              "notifications/cancelled",
              JsonObject.of("requestId", requestId)
                  .with("reason", Json.text("nobody waits for the answer any more"))));
    }
  }

  /** Sends a message beside the caller. */
  void beside(Terms terms, Message message) {
    Thread.ofVirtual().name("one-way").start(() -> post(terms, message));
  }

  private boolean send(Terms terms, Sender.Outgoing outgoing) {
    try (TimeLimit limit = TimeLimit.of(LIMIT);
        Answer answer =
            sender.send(outgoing, new Evidence(new Unattended(terms.revision()), limit))) {
      BoundedBody.begin(answer.body(), ANSWER_BYTES);
      return answer.status() < 300;
    } catch (IOException _) {
      return false;
    }
  }
}
