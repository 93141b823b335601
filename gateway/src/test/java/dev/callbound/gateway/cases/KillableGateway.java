package dev.callbound.gateway.cases;

import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One life of a gateway in a process of its own, behind either door. Thread-safe. */
final class KillableGateway implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The gateway that listens; null for one that its client starts. */
  private final @Nullable GatewayProcess listening;

  private final List<McpClient> clients = new CopyOnWriteArrayList<>();

  private volatile boolean killed;

  private KillableGateway(@Nullable GatewayProcess listening) {
    this.listening = listening;
  }

  /**
   * Starts one.
   *
   * @param door how its clients reach it
   * @param folder where its journal lies, from one life to the next
   * @param revision what the client speaks that starts it, where one does
   */
  static KillableGateway start(Way door, Path folder, Path config, Revision revision)
      throws IOException, InterruptedException {
    return switch (door) {
      case HTTP -> new KillableGateway(GatewayProcess.serve(folder, config));
      case STDIO -> {
        KillableGateway started = new KillableGateway(null);
        started.clients.add(
            McpClient.stdio(GatewayProcess.stdio(folder, config)).revision(revision).connect());
        yield started;
      }
    };
  }

  /** Starts one that its clients never get to see: it is killed before long, ready or not. */
  static void killEarly(Path folder, Path config, Duration after)
      throws IOException, InterruptedException {
    Process process = GatewayProcess.begin(folder, config);
    // Ends it in any case: that it might end by itself is what the next start would show.
    process.waitFor(after);
    process.destroyForcibly().waitFor();
  }

  /** A new client of a gateway that listens; the one that all share of one that does not. */
  McpClient client(Revision revision) throws InterruptedException {
    if (listening == null) {
      return clients.getFirst();
    }
    McpClient client = McpClient.http(listening.url()).revision(revision).connect();
    clients.add(client);
    return client;
  }

  private Process process() {
    return listening == null ? clients.getFirst().process() : listening.process();
  }

  /** Whether it ends by itself within this time; waits for as long. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process().waitFor(time);
  }

  /** Whether it was to die. */
  boolean killed() {
    return killed;
  }

  /** Ends it as kill -9 does, and waits until it is gone. */
  void kill() throws InterruptedException {
    killed = true;
    process().destroyForcibly().waitFor();
  }

  /** Asks it to end, and waits until it has. */
  void stop() throws InterruptedException {
    process().destroy();
    if (!process().waitFor(PATIENCE)) {
      throw new IllegalStateException("the gateway does not end within " + PATIENCE);
    }
  }

  @Override
  public void close() {
    process().destroyForcibly();
    clients.forEach(McpClient::close);
  }
}
