package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.ServerQuestions;
import dev.callbound.policy.Failure;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a process writes, line by line: finds whom it is for. A line that is no message is noise; an
 * answer that nobody waits for is late. Neither harms anybody. Never blocks.
 */
final class Inbox implements LineReader.Sink {
  private static final int NOISE_BYTES = 4_096;

  private final int maxResultBytes;
  private final InFlight inFlight;
  private final Consumer<Message.Response> answers;
  private final Consumer<Message.Notification> listener;
  private final Tail noise = new Tail(NOISE_BYTES);
  private final AtomicLong late = new AtomicLong();

  /**
   * @param maxResultBytes the largest result that is taken; said of one that did not fit a line
   * @param answers takes an answer to the process; does not block
   * @param listener hears what belongs to no request
   */
  Inbox(
      int maxResultBytes,
      InFlight inFlight,
      Consumer<Message.Response> answers,
      Consumer<Message.Notification> listener) {
    this.maxResultBytes = maxResultBytes;
    this.inFlight = inFlight;
    this.answers = answers;
    this.listener = listener;
  }

  /** The lines that were no messages. */
  Tail noise() {
    return noise;
  }

  /** How many answers came that nobody waited for. */
  long lateAnswers() {
    return late.get();
  }

  @Override
  public void line(byte[] line) {
    Json json;
    try {
      json = Json.parse(line);
    } catch (MalformedMessageException _) {
      noise.add(line);
      return;
    }
    try {
      switch (Message.of(json)) {
        case Message.Response response -> answered(response);
        case Message.Notification notification -> notified(notification);
        case Message.Request question -> asked(question);
      }
    } catch (MalformedMessageException e) {
      malformed(json, line, e);
    }
  }

  @Override
  public void overlong(LineReader.Overlong line) {
    switch (OverlongAnswer.of(line)) {
      case OverlongAnswer.To(String id) -> tooLarge(inFlight.find(id), line);
      case OverlongAnswer.Unclear _ -> {
        if (line.ended()) {
          tooLarge(inFlight.only(), line);
        }
      }
      case OverlongAnswer.ToNobody _ -> {
        if (line.ended()) {
          noise.add(line.begin().getBytes(StandardCharsets.ISO_8859_1));
        }
      }
    }
  }

  private void tooLarge(@Nullable PendingRequest request, LineReader.Overlong line) {
    if (request != null) {
      long limit = Math.min(request.exchange().maxResultBytes(), maxResultBytes);
      request.lose(new Failure.TooLarge(line.bytes(), limit));
    }
  }

  /** JSON, and no message: noise, unless it names a request of ours. */
  private void malformed(Json json, byte[] line, MalformedMessageException e) {
    boolean answer = json.isObject() && json.at("method") == null;
    PendingRequest request = answer ? inFlight.find(json.at("id")) : null;
    if (request == null) {
      noise.add(line);
    } else {
      request.lose(new Failure.Garbled("the answer is not a JSON-RPC response: " + e.getMessage()));
    }
  }

  private void answered(Message.Response response) {
    PendingRequest request = inFlight.find(response.id());
    if (request == null) {
      late.incrementAndGet();
    } else {
      request.answer(response);
    }
  }

  private void notified(Message.Notification notification) {
    JsonObject params = notification.params();
    switch (notification.method()) {
      case "notifications/progress" -> {
        PendingRequest request = inFlight.find(params.get("progressToken"));
        if (request != null) {
          request.exchange().progress(params);
        }
      }
      case "notifications/cancelled" -> {
        Json question = params.get("requestId");
        if (question != null) {
          inFlight
              .all()
              .forEach(request -> request.allQuestions().forEach(open -> open.withdrawn(question)));
        }
      }
      case "notifications/message" -> {
        signOfLife();
        PendingRequest request = inFlight.meant();
        if (request == null) {
          listener.accept(notification);
        } else {
          request.exchange().notification(notification);
        }
      }
      case "notifications/subscriptions/acknowledged" -> {
        // What the server can't tell of, it does not tell of: nothing follows from it here.
      }
      default -> {
        // Changed lists and resources concern every client, whoever is being served just now.
        signOfLife();
        listener.accept(notification);
      }
    }
  }

  private void asked(Message.Request question) {
    signOfLife();
    if (question.method().equals("ping")) {
      answers.accept(ServerQuestions.withoutClient(question));
      return;
    }
    PendingRequest request = inFlight.meant();
    if (request != null) {
      request.questions().asked(question);
    } else if (inFlight.size() == 0) {
      answers.accept(ServerQuestions.withoutClient(question));
    } else {
      answers.accept(
          new Message.ErrorResponse(
              question.id(),
              RpcError.of(
                  RpcError.INTERNAL_ERROR,
                  "requests of several clients are in flight, and the question does not say which"
                      + " of them it is for")));
    }
  }

  private void signOfLife() {
    inFlight.all().forEach(request -> request.exchange().signOfLife());
  }
}
