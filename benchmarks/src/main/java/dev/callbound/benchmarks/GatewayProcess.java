package dev.callbound.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A gateway in a process of its own. */
public final class GatewayProcess implements AutoCloseable {
  private static final String READY = "callbound: ";

  private final Process process;
  private final URI url;

  private GatewayProcess(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts it, and waits until it is ready.
   *
   * @param command what starts Callbound, without arguments
   * @param folder a folder that it has for itself
   * @param yaml its configuration
   */
  public static GatewayProcess start(List<String> command, Path folder, String yaml)
      throws IOException {
    Path config = Files.writeString(folder.resolve("callbound.yaml"), yaml);
    List<String> line = new ArrayList<>(command);
    line.addAll(List.of("serve", "--config", config.toString(), "--listen", "127.0.0.1:0"));
    line.addAll(List.of("--journal", folder.resolve("callbound.db").toString()));
    Process process =
        new ProcessBuilder(line)
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    // Left open: nothing but this line is ever written to it.
    BufferedReader out = process.inputReader();
    String ready = out.readLine();
    if (ready == null || !ready.startsWith(READY)) {
      process.destroyForcibly();
      throw new IOException(
          "callbound did not say where it listens, but: "
              + ready
              + System.lineSeparator()
              + Files.readString(folder.resolve("log")));
    }
    return new GatewayProcess(process, URI.create(ready.substring(READY.length()).strip()));
  }

  /** Where it listens for MCP. */
  public URI url() {
    return url;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
