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
  private final List<Faults> behind = new ArrayList<>();

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

  /** Several servers behind one address; each has a ledger of its own. */
  static Faults at(URI url, String name, Faults... servers) {
    Faults together = new Faults(name, Path.of(""), null, url, List.of());
    together.behind.addAll(List.of(servers));
    return together;
  }

  /** A server that is any command; it has no ledger. */
  static Faults command(String name, List<String> command) {
    return new Faults(name, Path.of(""), null, null, command);
  }

  /**
   * A server that the gateway starts through a shell script, which finds the command that starts
   * the server in its arguments.
   */
  static Faults script(Path folder, String name, String script, String... options)
      throws IOException {
    Faults plain = stdio(folder, name, options);
    Path file = Files.writeString(Files.createTempFile(folder, name, ".sh"), script);
    List<String> command = new ArrayList<>(List.of("/bin/sh", file.toString()));
    command.addAll(plain.command);
    return new Faults(name, plain.ledger, null, null, List.copyOf(command));
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

  /** The ids of its processes in all its lives, and of those that they started, oldest first. */
  List<Long> processes() {
    return ledger().events().stream()
        .filter(event -> event.kind().equals("start") || event.kind().equals("grandchild"))
        .map(
            event ->
                event.kind().equals("start")
                    ? event.fields().path("pid").asLong()
                    : event.fields().path("child").asLong())
        .toList();
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
      process.destroyForcibly().onExit().join();
    }
    behind.forEach(Faults::close);
  }
}
