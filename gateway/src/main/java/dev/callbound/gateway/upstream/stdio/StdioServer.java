package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.FailureText;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.RpcFailures;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.gateway.upstream.stdio.Connections.Ready;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server that is a process of ours, spoken to over its standard streams. It is started when
 * it is first needed, and again, with a growing pause, when it is needed after it ended.
 */
public final class StdioServer implements UpstreamServer {
  /** How long a request waits at most. Its caller's deadline interrupts it long before. */
  private static final Duration FOREVER = Duration.ofDays(365);

  private static final Logger LOG = System.getLogger(StdioServer.class.getName());

  private static final String SUBSCRIBE = "resources/subscribe";
  private static final String UNSUBSCRIBE = "resources/unsubscribe";

  private final String name;
  private final UnaryOperator<String> redactor;
  private final Connections connections;
  private final Subscriptions subscriptions = new Subscriptions();
  private volatile @Nullable Listener listener;

  /**
   * A server; its process is not started yet.
   *
   * @param stdio how its process is started: the transport of the config
   * @param redactor takes secrets out of what the process wrote before it goes into a record
   */
  public StdioServer(
      ServerConfig config,
      ServerConfig.Stdio stdio,
      ProcessLedger ledger,
      UnaryOperator<String> redactor) {
    this(config, stdio, ledger, redactor, new Restarts(Backoff.STANDARD, new SplittableRandom()));
  }

  StdioServer(
      ServerConfig config,
      ServerConfig.Stdio stdio,
      ProcessLedger ledger,
      UnaryOperator<String> redactor,
      Restarts restarts) {
    this.name = config.name();
    this.redactor = redactor;
    this.connections = new Connections(config, stdio, ledger, redactor, restarts, new Ears());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void listen(Listener heard) {
    listener = heard;
    subscriptions.wanted();
  }

  @Override
  public Reply<Introduction> introduction(Exchange exchange) {
    return switch (connections.connect(exchange)) {
      case Reply.Answered<Ready>(Ready here) -> new Reply.Answered<>(here.introduction());
      case Reply.Failed<Ready>(Failure failure, _) -> Reply.failed(failure);
    };
  }

  @Override
  public Reply<Json> request(String method, JsonObject params, Exchange exchange) {
    return switch (connections.connect(exchange)) {
      case Reply.Answered<Ready>(Ready here) -> requestOrSubscribe(here, method, params, exchange);
      case Reply.Failed<Ready>(Failure failure, _) -> Reply.failed(failure);
    };
  }

  @Override
  public void send(Message.Notification notification) {
    Ready here = connections.current();
    // Since 2026-07-28 a client has nothing to say outside its requests.
    if (here != null && here.introduction().revision().hasSessions()) {
      here.connection().send(notification);
    }
  }

  @Override
  public void close() {
    connections.close();
  }

  /** How many requests wait for an answer. */
  int inFlight() {
    return connections.inFlight();
  }

  /** The connection that is there; null when none is. */
  @Nullable StdioConnection connection() {
    Ready here = connections.current();
    return here == null ? null : here.connection();
  }

  private Reply<Json> requestOrSubscribe(
      Ready here, String method, JsonObject params, Exchange exchange) {
    boolean subscribes = method.equals(SUBSCRIBE);
    String uri = params.text("uri");
    if (uri == null || !(subscribes || method.equals(UNSUBSCRIBE))) {
      return request(here, method, params, exchange);
    }
    if (!subscriptions.change(here, uri, subscribes)) {
      return Reply.failed(
          new Failure.Refused(
              RpcError.INVALID_PARAMS,
              "more than " + Subscriptions.MAX_RESOURCES + " resources are subscribed to"));
    }
    return here.introduction().revision().hasSessions()
        ? request(here, method, params, exchange)
        : new Reply.Answered<>(JsonObject.EMPTY.toJson());
  }

  private Reply<Json> request(Ready here, String method, JsonObject params, Exchange exchange) {
    StdioConnection connection = here.connection();
    long noiseBefore = connection.inbox().noise().count();
    PendingRequest request =
        connection.begin(method, params, here.introduction().revision(), exchange);
    try {
      request.await(FOREVER);
    } catch (InterruptedException _) {
      if (request.giveUp("given up before an answer came")) {
        connection.cancel(Json.number(request.id()), "nobody waits for the answer any more");
      }
      Thread.currentThread().interrupt();
    } finally {
      connection.forget(request);
    }
    noteNoise(connection.inbox().noise(), noiseBefore, exchange);
    return reply(request, exchange);
  }

  private void noteNoise(Tail noise, long before, Exchange exchange) {
    long lines = noise.count() - before;
    if (lines == 0) {
      return;
    }
    if (before == 0) {
      LOG.log(
          Level.WARNING,
          "server={0} writes lines to its stdout that are no messages; they are skipped",
          name);
    }
    exchange.note(
        lines
            + " lines on the server's stdout were no messages; the last: "
            + FailureText.of(redactor.apply(noise.last())));
  }

  private static Reply<Json> reply(PendingRequest request, Exchange exchange) {
    return switch (request.ending()) {
      case null -> throw new IllegalStateException("still pending after " + FOREVER);
      case PendingRequest.Answered(Message.Result(_, Json result)) -> {
        long limit = exchange.maxResultBytes();
        yield result.length() > limit
            ? Reply.failed(new Failure.TooLarge(result.length(), limit))
            : new Reply.Answered<>(result);
      }
      case PendingRequest.Answered(Message.ErrorResponse(_, RpcError error)) -> {
        exchange.errorAnswer(error);
        yield Reply.failed(RpcFailures.of(error, Set.of(), Instant.now()));
      }
      case PendingRequest.Lost(Failure failure) -> Reply.failed(failure);
    };
  }

  /** What the processes tell. */
  private final class Ears implements Connections.Ears {
    @Override
    public void opened(Ready ready) {
      subscriptions.opened(ready);
    }

    @Override
    public void heard(Message.Notification notification) {
      Listener heard = listener;
      if (heard != null) {
        heard.heard(StdioServer.this, notification);
      }
    }
  }
}
