package dev.callbound.gateway.door.http;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.config.ListenAddress;
import dev.callbound.gateway.config.ListenConfig;
import dev.callbound.gateway.door.CallsPort;
import dev.callbound.gateway.door.CircuitsPort;
import dev.callbound.gateway.door.RunsPort;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;

/**
 * The HTTP door: MCP over Streamable HTTP at {@code /mcp} and {@code /mcp/SERVER}, what programs
 * ask at {@code /v1}, and {@code /healthz}. Each connection has a virtual thread of its own, so
 * that neither idle clients nor open calls use anything up but memory; both are bounded.
 * Thread-safe.
 */
public final class HttpDoor implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HttpDoor.class.getName());

  /** How long a connection is kept on which nothing happens. */
  private static final Duration IDLE_CONNECTION = Duration.ofMinutes(10);

  private static final Duration HOUSEKEEPING = Duration.ofMinutes(1);

  /** How long answers that are being written have, once nothing more is waited for. */
  private static final Duration LAST_WRITES = Duration.ofSeconds(1);

  private static final int BACKLOG = 4_096;

  private final ListenConfig config;
  private final OpenCalls calls;
  private final Sessions sessions;
  private final RunEvents events;
  private final WebServer server;
  private final Thread housekeeper;

  /** Makes a door that is not open yet. */
  public HttpDoor(
      ListenConfig config,
      Bridge bridge,
      RunsPort runs,
      CallsPort recorded,
      CircuitsPort circuits) {
    this.config = config;
    this.calls = new OpenCalls(config.maxCalls());
    this.sessions = new Sessions(config.maxConnections(), System::nanoTime);
    Gate gate = new Gate(config);
    this.events = new RunEvents(gate, runs);
    this.server = server(config, routing(gate, bridge, runs, recorded, circuits));
    this.housekeeper = Thread.ofVirtual().name("door-housekeeper").unstarted(this::keepHouse);
  }

  private HttpRouting.Builder routing(
      Gate gate, Bridge bridge, RunsPort runs, CallsPort recorded, CircuitsPort circuits) {
    McpEndpoint endpoint = new McpEndpoint(gate, bridge, sessions, calls);
    return HttpRouting.builder()
        .any("/mcp[/]", endpoint)
        .any("/mcp/{server}[/]", endpoint)
        .register("/v1/runs", new RunsRoutes(gate, runs, events))
        .register("/v1/calls", new CallsRoutes(gate, recorded))
        .register("/v1/circuits", new CircuitsRoutes(gate, circuits))
        .get("/healthz", (request, response) -> response.send("ok"));
  }

  private static WebServer server(ListenConfig config, HttpRouting.Builder routing) {
    // The limit is one for both; a quarter of it is more than any path here needs.
    int line = config.maxHeaderBytes() / 4;
    return WebServer.builder()
        .bindAddress(address(config.address()))
        .backlog(BACKLOG)
        // Off by default, and then an event may wait 40 ms for the client to acknowledge the last.
        .connectionOptions(options -> options.tcpNoDelay(true))
        .maxTcpConnections(config.maxConnections())
        .maxPayloadSize(config.maxRequestBytes())
        .idleConnectionTimeout(IDLE_CONNECTION)
        .idleConnectionPeriod(HOUSEKEEPING)
        .shutdownGracePeriod(LAST_WRITES)
        // The program decides when the door closes, after the calls behind it.
        .shutdownHook(false)
        .featuresDiscoverServices(false)
        .protocolsDiscoverServices(false)
        .addConnectionSelector(
            new LingeringConnections(
                Http1ConnectionSelector.builder()
                    .config(
                        Http1Config.builder()
                            .maxPrologueLength(line)
                            .maxHeadersSize(config.maxHeaderBytes() - line)
                            .build())
                    .build()))
        .directHandlers(
            new TransportErrors(config.maxRequestBytes(), config.maxHeaderBytes()).forAll())
        .errorHandling(ErrorHandling.builder().includeEntity(true).build())
        .routing(routing)
        .build();
  }

  private static InetSocketAddress address(ListenAddress address) {
    return new InetSocketAddress(address.host(), address.port());
  }

  /**
   * Opens the door.
   *
   * @return where it listens; the port is the one that was picked where 0 was asked for
   * @throws CannotListenException if the address can't be had
   */
  public ListenAddress start() throws CannotListenException {
    ListenAddress address = config.address();
    tryAddress(address);
    server.start();
    if (!server.isRunning()) {
      throw new CannotListenException("cannot listen on " + address + ": see the log", null);
    }
    housekeeper.start();
    return new ListenAddress(address.host(), server.port());
  }

  /** The server only logs what goes wrong when it starts; this says it. */
  private static void tryAddress(ListenAddress address) throws CannotListenException {
    InetSocketAddress socketAddress = address(address);
    if (socketAddress.isUnresolved()) {
      throw new CannotListenException(
          "cannot listen on " + address + ": no such host; use an address of this machine", null);
    }
    try (ServerSocketChannel channel = ServerSocketChannel.open()) {
      channel.bind(socketAddress);
    } catch (IOException e) {
      throw new CannotListenException(PortInUse.explain(address, e), e);
    }
  }

  /** How many calls are in flight. */
  public int openCalls() {
    return calls.count();
  }

  /** How many streams of a run's events are open; for tests. */
  int openEvents() {
    return events.open();
  }

  /**
   * Lets no new call in, and waits for those in flight. Streams that no call waits on stay open.
   *
   * @return how many calls are still in flight; 0 unless the grace ended first
   */
  public int drain(Duration grace) throws InterruptedException {
    calls.close();
    calls.awaitNone(grace);
    return calls.count();
  }

  /**
   * Closes the door: what is in flight has a second to be written, then every connection and
   * session ends. Idempotent.
   */
  @Override
  public void close() {
    calls.close();
    housekeeper.interrupt();
    try {
      calls.awaitNone(LAST_WRITES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sessions.closeAll();
    events.close();
    server.stop();
  }

  private void expire() {
    try {
      sessions.expire();
    } catch (RuntimeException e) {
      // A bug, in the end of one session; the others must end as well.
      LOG.log(System.Logger.Level.ERROR, "sessions=failed_unexpectedly", e);
    }
  }

  private void keepHouse() {
    try {
      while (true) {
        Thread.sleep(HOUSEKEEPING);
        expire();
      }
    } catch (InterruptedException e) {
      // The door is closed: there is nothing left to keep.
    }
  }
}
