package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.ServerQuestions;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its answer, and what comes meanwhile. Takes messages from any stream;
 * thread-safe but for {@link #strange()}, which belongs to the request's own thread.
 */
final class InFlight {
  /** These concern every client, whatever stream they came on. */
  private static final Set<String> FOR_ALL =
      Set.of(
          "notifications/tools/list_changed",
          "notifications/prompts/list_changed",
          "notifications/resources/list_changed",
          "notifications/resources/updated");

  private final Json id;
  private final Exchange exchange;
  private final ServerQuestions questions;
  private final Consumer<Message.Notification> forAll;
  private boolean strange;

  InFlight(
      Json id,
      Exchange exchange,
      ServerQuestions questions,
      Consumer<Message.Notification> forAll) {
    this.id = id;
    this.exchange = exchange;
    this.questions = questions;
    this.forAll = forAll;
  }

  Json id() {
    return id;
  }

  /** Whether something came on the request's own stream that is no answer to anything. */
  boolean strange() {
    return strange;
  }

  /** Takes the data of an event; returns the answer, if it is that. */
  Message.@Nullable Response take(byte[] data) {
    try {
      return take(Message.parse(data));
    } catch (MalformedMessageException _) {
      // Noise where messages belong: the answer may still come after it.
      strange = true;
      exchange.signOfLife();
      return null;
    }
  }

  private Message.@Nullable Response take(Message message) {
    return switch (message) {
      case Message.Request question -> {
        asked(question);
        yield null;
      }
      case Message.Notification notification -> {
        told(notification);
        yield null;
      }
      case Message.Response response -> {
        if (isAnswer(response)) {
          yield response;
        }
        strange = true;
        yield null;
      }
    };
  }

  /**
   * Whether a response is the answer. Some servers turn the id into a string; an error without an
   * id means that the server could not read ours, and there is no other request that it could mean.
   */
  boolean isAnswer(Message.Response response) {
    Json answered = response.id();
    return isId(answered) || (answered.isNull() && response instanceof Message.ErrorResponse);
  }

  private boolean isId(Json value) {
    return value.equals(id) || value.equals(Json.text(id.toString()));
  }

  void asked(Message.Request question) {
    questions.asked(question);
  }

  void told(Message.Notification notification) {
    String method = notification.method();
    JsonObject params = notification.params();
    Json token = params.get("progressToken");
    if (method.equals("notifications/progress") && token != null && isId(token)) {
      exchange.progress(params);
      return;
    }
    exchange.signOfLife();
    Json withdrawn = params.get("requestId");
    if (method.equals("notifications/cancelled") && withdrawn != null) {
      questions.withdrawn(withdrawn);
    } else if (FOR_ALL.contains(method)) {
      forAll.accept(notification);
    } else if (!method.equals("notifications/progress")) {
      exchange.notification(notification);
    }
  }
}
