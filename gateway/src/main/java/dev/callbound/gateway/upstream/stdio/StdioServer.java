package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.FailureText;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.RpcFailures;
import dev.callbound.gateway.upstream.Shared;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server that is a process of ours, spoken to over its standard streams. It is started when
 * it is first needed, and again, with a growing pause, when it is needed after it ended.
 */
public final class StdioServer implements UpstreamServer {
  /** What a line has beside the result: the envelope, and a generous id. */
  private static final int ENVELOPE_BYTES = 65_536;

  /** How long a request waits at most. Its caller's deadline interrupts it long before. */
  private static final Duration FOREVER = Duration.ofDays(365);

  private static final Logger LOG = System.getLogger(StdioServer.class.getName());

  /** A connection whose server has introduced itself. */
  record Ready(StdioConnection connection, Introduction introduction) {}

  private final ServerConfig config;
  private final ServerConfig.Stdio stdio;
  private final ProcessLedger ledger;
  private final UnaryOperator<String> redactor;
  private final Restarts restarts;
  private final Shared<Ready> ready;
  private final Set<StdioConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile Listener listener = (_, _) -> {};
  private volatile @Nullable Death lastDeath;
  private volatile boolean closed;

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
    this(
        config,
        stdio,
        ledger,
        redactor,
        new Restarts(Backoff.STANDARD, ThreadLocalRandom.current()));
  }

  StdioServer(
      ServerConfig config,
      ServerConfig.Stdio stdio,
      ProcessLedger ledger,
      UnaryOperator<String> redactor,
      Restarts restarts) {
    this.config = config;
    this.stdio = stdio;
    this.ledger = ledger;
    this.redactor = redactor;
    this.restarts = restarts;
    this.ready = new Shared<>(config.name() + " start");
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public void listen(Listener heard) {
    listener = heard;
  }

  @Override
  public Reply<Introduction> introduction(Exchange exchange) {
    return switch (connect(exchange)) {
      case Reply.Answered<Ready>(Ready here) -> new Reply.Answered<>(here.introduction());
      case Reply.Failed<Ready>(Failure failure, _) -> Reply.failed(failure);
    };
  }

  @Override
  public Reply<Json> request(String method, JsonObject params, Exchange exchange) {
    return switch (connect(exchange)) {
      case Reply.Answered<Ready>(Ready here) -> request(here, method, params, exchange);
      case Reply.Failed<Ready>(Failure failure, _) -> Reply.failed(failure);
    };
  }

  @Override
  public void send(Message.Notification notification) {
    Ready here = ready.current();
    if (here != null) {
      here.connection().send(notification);
    }
  }

  @Override
  public void close() {
    closed = true;
    ready.interrupt();
    // All are asked first, so that they end beside each other.
    Set<StdioConnection> open = Set.copyOf(connections);
    open.forEach(connection -> connection.drop("the connection was closed"));
    open.forEach(StdioConnection::awaitBurial);
  }

  /** How many requests wait for an answer. */
  int inFlight() {
    return connections.stream().mapToInt(StdioConnection::inFlight).sum();
  }

  /** The connection that is there; null when none is. */
  @Nullable StdioConnection connection() {
    Ready here = ready.current();
    return here == null ? null : here.connection();
  }

  private Reply<Ready> connect(Exchange exchange) {
    Revision revision = exchange.caller().revision();
    try {
      while (true) {
        Reply<Ready> reply = ready.obtain(() -> start(revision));
        switch (reply) {
          case Reply.Answered<Ready>(Ready here) -> {
            if (here.connection().alive()) {
              return reply;
            }
            // It ended so soon that it was put there afterwards.
            ready.drop(here);
          }
          case Reply.Failed<Ready> _ -> {
            noteLastDeath(exchange);
            return reply;
          }
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      noteLastDeath(exchange);
      Death death = lastDeath;
      return notSent(
          "given up while the server's process was being started"
              + (death == null ? "" : "; before that, " + death.detail()));
    }
  }

  private void noteLastDeath(Exchange exchange) {
    Death death = lastDeath;
    if (death != null) {
      exchange.note(death.note());
    }
  }

  /** Starts a process and opens the conversation. Runs on a thread of its own, which may be ended. */
  private Reply<Ready> start(Revision first) {
    try {
      Thread.sleep(restarts.pause());
      if (closed) {
        return notSent("the connection was closed");
      }
      ChildProcess process = ChildProcess.start(stdio);
      StdioConnection connection = adopt(process);
      return open(connection, first);
    } catch (IOException e) {
      restarts.ended(Duration.ZERO);
      return notSent("the process could not be started: " + redactor.apply(said(e)));
    } catch (InterruptedException _) {
      return notSent("the connection was closed");
    }
  }

  private static String said(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private StdioConnection adopt(ChildProcess process) {
    ledger.started(process.pid(), process.startedAt(), name());
    StdioConnection connection =
        new StdioConnection(
            name(),
            process,
            Math.addExact(config.maxResultBytes(), ENVELOPE_BYTES),
            stdio.stopGrace(),
            redactor,
            new Owner());
    connections.add(connection);
    LOG.log(Level.INFO, "server={0} pid={1,number,#} started", name(), process.pid());
    return connection;
  }

  private Reply<Ready> open(StdioConnection connection, Revision first) {
    Reply<Introduction> reply;
    try {
      reply =
          closed
              ? Reply.failed(new Failure.NotSent("the connection was closed"))
              : new Handshake(connection, config.maxResultBytes(), config.startTimeout())
                  .open(config.protocol(), first);
    } catch (InterruptedException _) {
      reply = Reply.failed(new Failure.NotSent("the connection was closed"));
    }
    return switch (reply) {
      case Reply.Answered<Introduction>(Introduction introduction) ->
          new Reply.Answered<>(new Ready(connection, introduction));
      case Reply.Failed<Introduction>(Failure failure, _) -> {
        connection.drop("the handshake failed: " + failure.detail());
        yield notSent(connection.awaitDeath().detail());
      }
    };
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
        connection.send(cancelled(request));
      }
      Thread.currentThread().interrupt();
    } finally {
      connection.forget(request);
    }
    long noise = connection.inbox().noise().count() - noiseBefore;
    if (noise > 0) {
      exchange.note(
          noise
              + " lines on the server's stdout were no messages; the last: "
              + FailureText.of(redactor.apply(connection.inbox().noise().last())));
    }
    return reply(request, exchange);
  }

  private static Message.Notification cancelled(PendingRequest request) {
    return new Message.Notification(
        "notifications/cancelled",
        JsonObject.of("requestId", Json.number(request.id()))
            .with("reason", Json.text("nobody waits for the answer any more")));
  }

  private static Reply<Json> reply(PendingRequest request, Exchange exchange) {
    return switch (request.ending()) {
      case null -> notSent("the request was not made");
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

  private static <T> Reply<T> notSent(String detail) {
    return Reply.failed(new Failure.NotSent(detail));
  }

  /** Hears of a connection's life. */
  private final class Owner implements StdioConnection.Owner {
    @Override
    public void heard(Message.Notification notification) {
      listener.heard(StdioServer.this, notification);
    }

    @Override
    public void over(StdioConnection connection, Death death) {
      Ready here = ready.current();
      if (here != null && here.connection() == connection) {
        ready.drop(here);
      }
      if (!closed) {
        lastDeath = death;
        restarts.ended(connection.lived());
        LOG.log(
            Level.WARNING,
            "server={0} pid={1,number,#} ended: {2}",
            name(),
            connection.pid(),
            death.what());
      }
    }

    @Override
    public void buried(StdioConnection connection, boolean nothingLeft) {
      connections.remove(connection);
      if (nothingLeft) {
        ledger.ended(connection.pid());
      } else {
        LOG.log(
            Level.WARNING,
            "server={0} pid={1,number,#} something that it started could not be ended",
            name(),
            connection.pid());
      }
    }
  }
}
