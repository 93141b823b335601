package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.ServerQuestions;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes single requests under given terms, and knows which are in flight. Thread-safe. */
final class Requests {
  private final AtomicLong lastId = new AtomicLong();
  private final Map<Json, InFlight> inFlight = new ConcurrentHashMap<>();
  private final Sender sender;
  private final OneWay oneWay;
  private final AnswerReader reader;
  private volatile Consumer<Message.Notification> forAll = _ -> {};

  Requests(Sender sender, OneWay oneWay, AnswerReader reader) {
    this.sender = sender;
    this.oneWay = oneWay;
    this.reader = reader;
  }

  /** Sets who hears what concerns every client. */
  void forAll(Consumer<Message.Notification> listener) {
    forAll = listener;
  }

  /** The request in flight that a progress token belongs to; null where there is none. */
  @Nullable InFlight byToken(Json token) {
    return inFlight.get(token);
  }

  /** The only request in flight; null when there are none or several. */
  @Nullable InFlight only() {
    Iterator<InFlight> all = inFlight.values().iterator();
    InFlight one = all.hasNext() ? all.next() : null;
    return all.hasNext() ? null : one;
  }

  /** How many requests wait for their answer. */
  int count() {
    return inFlight.size();
  }

  /** Sends a request under the terms, and waits for its answer. */
  Try make(Terms terms, String method, JsonObject params, Exchange exchange) {
    Message.Request request = request(method, params, terms, exchange);
    Map<String, String> headers =
        Headers.post(terms, method, request.params(), exchange.mirroredArguments());
    exchange.headers().forEach(headers::putIfAbsent);
    return send(request, headers, exchange, new Evidence(exchange), terms, true);
  }

  /**
   * Sends the opening of a conversation, and waits for its answer. It is never withdrawn.
   *
   * @param limit the server's time for it, which bounds the current thread
   */
  Try open(Terms offered, String method, JsonObject params, Exchange exchange, TimeLimit limit) {
    Message.Request request = request(method, params, offered, exchange);
    Evidence evidence = new Evidence(exchange, limit);
    return send(request, Headers.opening(offered.revision()), exchange, evidence, offered, false);
  }

  private Message.Request request(
      String method, JsonObject params, Terms terms, Exchange exchange) {
    Json id = Json.number(lastId.incrementAndGet());
    return new Message.Request(
        id, method, Dialect.params(method, params, terms.revision(), exchange.caller(), id));
  }

  private Try send(
      Message.Request request,
      Map<String, String> headers,
      Exchange exchange,
      Evidence evidence,
      Terms terms,
      boolean cancellable) {
    boolean answered = false;
    try (ServerQuestions questions =
        new ServerQuestions(exchange, answer -> oneWay.post(terms, answer))) {
      InFlight waiting = new InFlight(request.id(), exchange, questions, n -> forAll.accept(n));
      inFlight.put(request.id(), waiting);
      Answer answer = sender.send(new Sender.Outgoing("POST", headers, request::toBytes), evidence);
      Try result = reader.read(answer, waiting, terms, exchange, evidence);
      answered = true;
      return result;
    } catch (IOException e) {
      return failed(e, exchange, evidence);
    } finally {
      inFlight.remove(request.id());
      if (!answered && cancellable && evidence.sent() && Thread.currentThread().isInterrupted()) {
        oneWay.cancel(terms, request.id());
      }
    }
  }

  private static Try failed(IOException e, Exchange exchange, Evidence evidence) {
    Failure failure = WireFailures.of(e, evidence.sent(), exchange.maxResultBytes());
    if (!failure.mayHaveRun()) {
      evidence.notTaken();
    }
    return new Try.Done(Reply.failed(failure), null);
  }
}
