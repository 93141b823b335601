package dev.callbound.gateway;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.gateway.upstream.http.StreamableHttpServer;
import dev.callbound.gateway.upstream.stdio.ProcessLedger;
import dev.callbound.gateway.upstream.stdio.StdioServer;
import java.util.ArrayList;
import java.util.List;

/** The MCP servers of a configuration. */
public final class Servers {
  private Servers() {}

  /** One for each server, in the order of the configuration; none is connected to yet. */
  public static List<UpstreamServer> of(Config config, ProcessLedger processes) {
    return config.servers().values().stream().map(server -> of(server, config, processes)).toList();
  }

  private static UpstreamServer of(ServerConfig server, Config config, ProcessLedger processes) {
    return switch (server.transport()) {
      case ServerConfig.Stdio stdio ->
          new StdioServer(server, stdio, processes, config.secrets()::redact);
      case ServerConfig.Http http -> new StreamableHttpServer(server, http, config.secrets());
    };
  }

  /** Closes them beside each other; each bounds its own end. */
  public static void close(List<UpstreamServer> servers) {
    List<Thread> closing = new ArrayList<>();
    for (UpstreamServer server : servers) {
      closing.add(Thread.ofVirtual().name("close " + server.name()).start(server::close));
    }
    boolean interrupted = false;
    for (Thread thread : closing) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          // A process that is left running is worse than a late end, and the wait is bounded.
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
