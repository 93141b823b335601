package dev.callbound.gateway.cases;

import dev.callbound.testkit.FaultAdmin;
import dev.callbound.testkit.FaultServer;
import dev.callbound.testkit.LedgerReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The misbehaving server of a case: a process of its own over HTTP, or a command over stdio. */
final class Faults implements AutoCloseable {
  private static final String OTHER = System.getProperty("callbound.faultserver", "");

  private final String name;
  private final Path ledger;
  private final @Nullable Process process;
  private final @Nullable URI url;
  private final List<String> command;

  private Faults(
      String name,
      Path ledger,
      @Nullable Process process,
      @Nullable URI url,
      List<String> command) {
    this.name = name;
    this.ledger = ledger;
    this.process = process;
    this.url = url;
    this.command = command;
  }

  /** Starts a server that listens. */
  static Faults http(Path folder, String name, String... options) throws IOException {
    Path ledger = Files.createTempFile(folder, name, ".jsonl");
    List<String> command = command("--port", "0", "--ledger", ledger.toString(), "--name", name);
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    int at = line == null ? -1 : line.indexOf("http://");
    if (line == null || at < 0) {
      throw new IOException("the server did not say its address: " + line);
    }
    return new Faults(name, ledger, process, URI.create(line.substring(at).strip()), List.of());
  }

  /** A server that the gateway starts itself. */
  static Faults stdio(Path folder, String name, String... options) throws IOException {
    Path ledger = Files.createTempFile(folder, name, ".jsonl");
    List<String> command = command("--stdio", "--ledger", ledger.toString(), "--name", name);
    command.addAll(List.of(options));
    return new Faults(name, ledger, null, null, List.copyOf(command));
  }

  private static List<String> command(String... options) {
    List<String> command = new ArrayList<>();
    if (OTHER.isBlank()) {
      List<String> own = FaultServer.stdio().commandLine();
      command.addAll(own.subList(0, own.indexOf("--stdio")));
    } else {
      command.addAll(List.of(OTHER.split(" ")));
    }
    command.addAll(List.of(options));
    return command;
  }

  /** The entry of this server in the configuration, without its braces. */
  String entry() {
    if (url != null) {
      return "url: \"" + url + "\"";
    }
    String args =
        command.stream()
            .skip(1)
            .map(argument -> "\"" + argument + "\"")
            .collect(Collectors.joining(", "));
    return "command: \"" + command.getFirst() + "\", args: [" + args + "]";
  }

  String name() {
    return name;
  }

  /** Where it listens. */
  URI url() {
    if (url == null) {
      throw new IllegalStateException("a server over stdio has no address");
    }
    return url;
  }

  /** What it has counted so far, over all its lives. */
  LedgerReport ledger() {
    try {
      return LedgerReport.readFile(ledger);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes how it behaves, as its admin endpoint does; over HTTP alone. */
  void control(String json) throws IOException, InterruptedException {
    try (FaultAdmin admin = FaultAdmin.at(url().resolve("/"))) {
      admin.control(json);
    }
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
