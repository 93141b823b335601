package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import java.net.URI;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The HTTP side of one life of a fault server: from its start to its end or its crash. */
final class FaultLife implements AutoCloseable {
  private final FaultEngine engine;
  private final McpEndpoint mcp;
  private final AdminEndpoint admin;
  private final HttpDoor door;

  /**
   * @param port where to listen; 0 picks a free one
   */
  FaultLife(FaultEngine engine, int port) {
    this.engine = engine;
    this.mcp = new McpEndpoint(engine);
    this.admin = new AdminEndpoint(engine, mcp, this::refuse);
    FaultOptions options = engine.options();
    this.door =
        new HttpDoor(options.text("host"), port, options.millis("keepalive-ms"), this::route);
  }

  /** A life over HTTP whose crash kills only what this object stands for. */
  static FaultLife inProcess(
      FaultOptions options, EffectLedger ledger, int port, Runnable crashed) {
    Crash crash = new Crash(crashed);
    FaultLife life =
        new FaultLife(new FaultEngine(options, ledger, FaultLife::floodErr, crash), port);
    crash.life = life;
    return life;
  }

  /** What a crash means where the process is to go on. */
  private static final class Crash implements IntConsumer {
    private final Runnable crashed;
    private volatile @Nullable FaultLife life;

    Crash(Runnable crashed) {
      this.crashed = crashed;
    }

    @Override
    public void accept(int exitCode) {
      FaultLife dying = life;
      if (dying != null) {
        crashed.run();
        dying.door.die();
      }
    }
  }

  /** Writes noise on standard error, which blocks while nobody reads it. */
  static void floodErr(int bytes) {
    String line = "x".repeat(199) + "\n";
    for (int written = 0; written < bytes; written += line.length()) {
      System.err.print(line);
    }
    System.err.flush();
  }

  URI url(String path) {
    return door.url(path);
  }

  int port() {
    return door.port();
  }

  JsonNode report() {
    return engine.report(mcp.sessions());
  }

  void control(JsonNode want) {
    admin.apply(want);
    admin.refuseIfWanted(want);
  }

  void reset() {
    engine.reset();
  }

  @Override
  public void close() {
    door.close();
  }

  private void refuse(Duration duration) {
    door.refuse(duration);
  }

  private void route(HttpRequest request, HttpResponse response) throws InterruptedException {
    if (request.path().startsWith("/_")) {
      admin.handle(request, response);
    } else if (engine.options().stdio() || !request.path().equals(engine.options().text("path"))) {
      McpEndpoint.send(response, 404, object("error", "no such path"), new HttpHeaders());
    } else {
      mcp.handle(request, response);
    }
  }
}
