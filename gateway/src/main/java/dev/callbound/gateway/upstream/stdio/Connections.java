package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.process.Family;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.Shared;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one server, one after the other: starts one when it is needed, gives it to all
 * who need it, and forgets it when it has ended. Those that are still being stopped are remembered
 * until nothing of them is left. Thread-safe.
 */
final class Connections implements AutoCloseable {
  /** How long the system may take to start a process. */
  private static final Duration START_PATIENCE = Duration.ofSeconds(2);

  private static final String CLOSED = "the connection was closed";

  private static final Logger LOG = System.getLogger(Connections.class.getName());

  /** A connection whose server has introduced itself. */
  record Ready(StdioConnection connection, Introduction introduction) {}

  /** What its owner hears. Must not block. */
  interface Ears {
    /** A conversation has been opened. */
    void opened(Ready ready);

    /** The server said something that belongs to no request. */
    void heard(Message.Notification notification);
  }

  private final ServerConfig config;
  private final ServerConfig.Stdio stdio;
  private final ProcessLedger ledger;
  private final UnaryOperator<String> redactor;
  private final Restarts restarts;
  private final Ears ears;
  private final Shared<Ready> ready;
  private final Set<StdioConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger starting = new AtomicInteger();
  private volatile @Nullable Death lastDeath;
  private volatile boolean closed;

  Connections(
      ServerConfig config,
      ServerConfig.Stdio stdio,
      ProcessLedger ledger,
      UnaryOperator<String> redactor,
      Restarts restarts,
      Ears ears) {
    this.config = config;
    this.stdio = stdio;
    this.ledger = ledger;
    this.redactor = redactor;
    this.restarts = restarts;
    this.ears = ears;
    this.ready = new Shared<>(config.name() + " start");
  }

  /** The connection that is there; null when none is. */
  @Nullable Ready current() {
    return ready.current();
  }

  /** How many requests wait for an answer. */
  int inFlight() {
    return connections.stream().mapToInt(StdioConnection::inFlight).sum();
  }

  /** Ends all, and waits until nothing is left. Bounded. */
  @Override
  public void close() {
    closed = true;
    ready.interrupt();
    // A process that is being started just now is adopted before anything is counted.
    Family.awaitNot(() -> starting.get() > 0, START_PATIENCE);
    // All are asked first, so that they end beside each other.
    Set<StdioConnection> open = Set.copyOf(connections);
    open.forEach(connection -> connection.drop(CLOSED));
    open.forEach(StdioConnection::awaitBurial);
  }

  /** The connection that is there, or a new one; waits for it, and for the pause before a start. */
  Reply<Ready> connect(Exchange exchange) {
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

  /**
   * Starts a process and opens the conversation. Runs on a thread of its own, which may be ended.
   */
  private Reply<Ready> start(Revision first) {
    try {
      Thread.sleep(restarts.pause());
      StdioConnection connection = startProcess();
      return connection == null ? notSent(CLOSED) : open(connection, first);
    } catch (IOException e) {
      restarts.ended(Duration.ZERO);
      return notSent("the process could not be started: " + redactor.apply(said(e)));
    } catch (InterruptedException _) {
      return notSent(CLOSED);
    }
  }

  /** Starts a process; null when there is to be none any more. */
  private @Nullable StdioConnection startProcess() throws IOException {
    starting.incrementAndGet();
    try {
      return closed ? null : adopt(ChildProcess.start(stdio));
    } finally {
      starting.decrementAndGet();
    }
  }

  private static String said(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private StdioConnection adopt(ChildProcess process) {
    StdioConnection connection =
        new StdioConnection(
            config.name(),
            process,
            config.maxResultBytes(),
            stdio.stopGrace(),
            redactor,
            new Owner());
    connections.add(connection);
    try {
      ledger.started(process.pid(), process.startedAt(), config.name());
    } catch (RuntimeException e) {
      // What could not be written down could not be cleaned up after.
      connection.drop("its start could not be recorded");
      throw e;
    }
    LOG.log(Level.INFO, "server={0} pid={1,number,#} started", config.name(), process.pid());
    return connection;
  }

  private Reply<Ready> open(StdioConnection connection, Revision first) {
    Reply<Introduction> reply;
    try {
      reply =
          closed
              ? Reply.failed(new Failure.NotSent(CLOSED))
              : new Handshake(connection, config.maxResultBytes(), config.startTimeout())
                  .open(config.protocol(), first);
    } catch (InterruptedException _) {
      reply = Reply.failed(new Failure.NotSent(CLOSED));
    }
    return switch (reply) {
      case Reply.Answered<Introduction>(Introduction introduction) ->
          opened(new Ready(connection, introduction));
      case Reply.Failed<Introduction>(Failure failure, _) -> {
        connection.drop("the handshake failed: " + failure.detail());
        yield notSent(connection.awaitDeath().detail());
      }
    };
  }

  private Reply<Ready> opened(Ready opened) {
    ears.opened(opened);
    return new Reply.Answered<>(opened);
  }

  private static Reply<Ready> notSent(String detail) {
    return Reply.failed(new Failure.NotSent(detail));
  }

  /** Hears of a connection's life. */
  private final class Owner implements StdioConnection.Owner {
    @Override
    public void heard(Message.Notification notification) {
      ears.heard(notification);
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
            config.name(),
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
            config.name(),
            connection.pid());
      }
    }
  }
}
