package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.ServerConfig.Stdio;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The process of a server, in a process group of its own where the system has such a thing, so that
 * it ends together with all that it started. Thread-safe.
 */
final class ChildProcess {
  /** How long the members of a group may take to be gone after they were killed. */
  static final Duration KILL_PATIENCE = Duration.ofSeconds(2);

  private static final Logger LOG = System.getLogger(ChildProcess.class.getName());

  /** How a process is put into a group of its own; empty where that can't be done. */
  private static final Optional<Grouping> GROUPING = grouping();

  /** The program that makes the process that it becomes the leader of a group, and the signals. */
  private record Grouping(Path setsid, Signals signals) {}

  private final Process process;
  private final Instant startedAt;
  private final Family family;

  private ChildProcess(Process process, Family family) {
    this.process = process;
    this.family = family;
    this.startedAt = process.info().startInstant().orElseGet(Instant::now);
  }

  /**
   * Starts the process.
   *
   * @throws IOException if it can't be started; the message says why, without the arguments
   */
  static ChildProcess start(Stdio stdio) throws IOException {
    Map<String, String> environment = Environment.of(System.getenv(), stdio.env());
    List<String> command = new ArrayList<>();
    GROUPING.ifPresent(grouping -> command.add(grouping.setsid().toString()));
    command.add(stdio.command());
    command.addAll(stdio.args());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    if (stdio.cwd() != null) {
      if (!Files.isDirectory(stdio.cwd())) {
        throw new IOException("its working directory does not exist: " + stdio.cwd());
      }
      builder.directory(stdio.cwd().toFile());
    }
    String path = Objects.requireNonNullElse(environment.get("PATH"), "");
    if (GROUPING.isPresent() && Executable.find(stdio.command(), path, stdio.cwd()).isEmpty()) {
      throw new IOException(
          "no such program"
              + (stdio.command().indexOf('/') < 0 ? " on the PATH" : "")
              + ": "
              + stdio.command());
    }
    Process process = builder.start();
    ProcessHandle handle = process.toHandle();
    return new ChildProcess(
        process,
        GROUPING
            .<Family>map(grouping -> new Family.Group(grouping.signals(), handle))
            .orElseGet(() -> new Family.Descendants(handle)));
  }

  /** Its number, which is that of its group too. */
  long pid() {
    return process.pid();
  }

  /** When it started, which with its number tells it from every other process. */
  Instant startedAt() {
    return startedAt;
  }

  /** What it reads. */
  OutputStream input() {
    return process.getOutputStream();
  }

  /** What it writes. */
  InputStream output() {
    return new ProcessOutput(process, process.getInputStream());
  }

  /** What it writes to its standard error. */
  InputStream errors() {
    return new ProcessOutput(process, process.getErrorStream());
  }

  /** Completes with its exit code when it has ended; those that it started may live on. */
  CompletableFuture<Integer> exit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /**
   * Sees to it that nothing is left: gives the process time to end by itself, its input being
   * closed already; then sends TERM to all, gives time again, and kills. Bounded; may be called by
   * several threads and any number of times.
   *
   * @return whether nothing is left
   */
  boolean stop(Duration grace) {
    if (Family.awaitNot(process::isAlive, grace) && !family.alive()) {
      return true;
    }
    family.terminate();
    if (family.awaitEnd(grace)) {
      return true;
    }
    family.kill();
    return family.awaitEnd(KILL_PATIENCE);
  }

  private static Optional<Grouping> grouping() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin:/bin");
    Optional<Grouping> grouping =
        Signals.ofSystem()
            .flatMap(
                signals ->
                    Executable.find("setsid", path, null)
                        .map(setsid -> new Grouping(setsid.toAbsolutePath(), signals)));
    if (grouping.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "no setsid on the PATH: what a server's process starts is found by its parent, and may be"
              + " left behind when that ends first");
    }
    return grouping;
  }
}
