package dev.callbound.benchmarks.duplicates;

import dev.callbound.benchmarks.GatewayProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Callbound in front of the one server. */
final class Callbound {
  private Callbound() {}

  /**
   * Starts it, and waits until it is ready. Everything has its default but the deadline, which is
   * that of the other clients, and the circuit: the faults here are drawn by chance, and a
   * dependency that is down is the herd bench's question.
   *
   * @param command what starts Callbound, without arguments
   * @param folder a folder that it has for itself
   */
  static GatewayProcess start(List<String> command, Path folder, URI server, Way.Bounded way)
      throws IOException {
    return GatewayProcess.start(
        command,
        folder,
        """
        servers:
          bench:
            url: %s
            deadline: %dms
            circuit: off
            tools: {%s: {recognise: %s}}
        """
            .formatted(server, DuplicatesBench.DEADLINE.toMillis(), Write.TOOL, way.recognise()));
  }
}
