package dev.callbound.gateway.cases;

import dev.callbound.gateway.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A gateway in a process of its own, for the cases in which it dies, or has little memory. */
final class GatewayProcess implements AutoCloseable {
  private static final String READY = "callbound: ";

  private final Process process;
  private final URI url;

  private GatewayProcess(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts {@code serve} on a free port, and waits until it is ready.
   *
   * @param folder where the journal lies, and what the gateway logs
   */
  static GatewayProcess serve(Path folder, Path config, String... javaOptions) throws IOException {
    Process process = begin(folder, config, javaOptions);
    // Left open: nothing but this line is ever written to it.
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    if (line == null || !line.startsWith(READY)) {
      process.destroyForcibly();
      throw new IOException("the gateway did not say where it listens, but: " + line);
    }
    return new GatewayProcess(process, URI.create(line.substring(READY.length())));
  }

  /** Starts it, and waits for nothing. */
  static Process begin(Path folder, Path config, String... javaOptions) throws IOException {
    List<String> command = command(folder, "serve", config, javaOptions);
    command.addAll(List.of("--listen", "127.0.0.1:0"));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  /** The command of a gateway that its client starts. */
  static List<String> stdio(Path folder, Path config) {
    return List.copyOf(command(folder, "stdio", config));
  }

  private static List<String> command(
      Path folder, String subcommand, Path config, String... javaOptions) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Serial and without the slow compiler: a process that lives for seconds only.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+ExitOnOutOfMemoryError"));
    command.addAll(List.of(javaOptions));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(subcommand, "--config", config.toString()));
    command.addAll(List.of("--journal", journal(folder).toString()));
    return command;
  }

  /** Where such a gateway keeps its record. */
  static Path journal(Path folder) {
    return folder.resolve("callbound.db");
  }

  URI url() {
    return url;
  }

  Process process() {
    return process;
  }

  /** Ends it as kill -9 does, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends it with the servers that it started: until they are gone they write into the folder. */
  @Override
  public void close() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    all.add(process.toHandle());
    all.forEach(each -> each.onExit().join());
  }
}
