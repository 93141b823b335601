package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server behind Streamable HTTP. Thread-safe.
 *
 * <pre>
 * request → Openings (agree, once for all) → Requests (one POST) → AnswerReader → StreamReader
 *              ↑ once more, when the server says that it does not know the session ↓
 * </pre>
 *
 * Beneath all of them {@link Credentials} goes with the {@link Sender}.
 */
public final class StreamableHttpServer implements UpstreamServer {
  private static final String SUBSCRIBE = "resources/subscribe";
  private static final String UNSUBSCRIBE = "resources/unsubscribe";

  private final String name;
  private final @Nullable Credentials credentials;
  private final Sender sender;
  private final OneWay oneWay;
  private final Requests requests;
  private final Listening listening;
  private final Openings openings;
  private volatile boolean closed;

  /**
   * @param config the server's, for its name and limits
   * @param transport how it is reached; nothing is sent before the first use
   * @param secrets are taken out of what the server said about a failure, and learn the credentials
   *     that are fetched
   */
  public StreamableHttpServer(ServerConfig config, ServerConfig.Http transport, Secrets secrets) {
    this.name = config.name();
    this.credentials = Credentials.of(transport, name, secrets);
    this.sender = new Sender(transport, credentials, Sender.MAX_CONNECTIONS);
    this.oneWay = new OneWay(sender);
    AnswerReader reader =
        new AnswerReader(
            transport.refusedStatuses(),
            new Redaction(secrets),
            InstantSource.system(),
            new StreamReader(sender));
    this.requests = new Requests(sender, oneWay, reader);
    this.listening = new Listening(sender, oneWay, requests, Listening.LONGEST_PAUSE);
    this.openings =
        new Openings(requests, oneWay, listening, config.protocol(), config.startTimeout());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void listen(Listener listener) {
    listening.listener(notification -> listener.heard(this, notification));
    requests.forAll(notification -> listener.heard(this, notification));
  }

  @Override
  public Reply<Introduction> introduction(Exchange exchange) {
    return switch (terms(exchange)) {
      case Reply.Failed<Terms>(Failure failure, _) -> Reply.failed(failure);
      case Reply.Answered<Terms>(Terms terms) -> new Reply.Answered<>(terms.introduction());
    };
  }

  @Override
  public Reply<Json> request(String method, JsonObject params, Exchange exchange) {
    Failure ifAgain = null;
    // Twice at most: a server that never knows the session it just gave is not asked for ever.
    for (int sending = 1; sending <= 2; sending++) {
      switch (terms(exchange)) {
        case Reply.Failed<Terms>(Failure failure, _) -> {
          return Reply.failed(failure);
        }
        case Reply.Answered<Terms>(Terms terms) -> {
          switch (make(terms, method, params, exchange)) {
            case Try.Done(Reply<Json> reply, _) -> {
              return reply;
            }
            case Try.FailedAndOver(Failure failure) -> {
              openings.drop(terms);
              return Reply.failed(failure);
            }
            case Try.TermsOver(String because, Failure again) -> {
              openings.drop(terms);
              exchange.note(because);
              ifAgain = again;
            }
          }
        }
      }
    }
    return Reply.failed(
        ifAgain == null ? new Failure.NotSent("no session could be agreed on") : ifAgain);
  }

  @Override
  public void send(Message.Notification notification) {
    Terms terms = openings.currentSession();
    // Since 2026-07-28 a client has nothing to say outside its requests.
    if (terms != null && !closed) {
      oneWay.beside(terms, notification);
    }
  }

  @Override
  public void close() {
    closed = true;
    listening.close();
    openings.interrupt();
    if (credentials != null) {
      credentials.close();
    }
    Terms terms = openings.currentSession();
    if (terms != null) {
      oneWay.endSession(terms);
    }
    sender.close();
  }

  /** How many requests wait for their answer; for tests. */
  int inFlight() {
    return requests.count();
  }

  /** How many connections are in use; for tests. */
  int connectionsInUse() {
    return sender.inUse();
  }

  private Reply<Terms> terms(Exchange exchange) {
    if (closed) {
      return Reply.failed(new Failure.NotSent("the gateway is stopping"));
    }
    try {
      return openings.terms(exchange.caller().revision());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Reply.failed(new Failure.NotSent("interrupted before the request was sent"));
    }
  }

  private Try make(Terms terms, String method, JsonObject params, Exchange exchange) {
    boolean subscribes = method.equals(SUBSCRIBE);
    String uri = params.text("uri");
    if (uri == null || !(subscribes || method.equals(UNSUBSCRIBE))) {
      return requests.make(terms, method, params, exchange);
    }
    if (!listening.subscribe(terms, uri, subscribes)) {
      return new Try.Done(
          Reply.failed(new Failure.Refused(-32602, "too many resources are subscribed to")), null);
    }
    return terms.revision().hasSessions()
        ? requests.make(terms, method, params, exchange)
        : new Try.Done(new Reply.Answered<>(JsonObject.EMPTY.toJson()), null);
  }
}
