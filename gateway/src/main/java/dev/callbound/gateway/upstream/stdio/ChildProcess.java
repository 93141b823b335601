package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.ServerConfig.Stdio;
import dev.callbound.gateway.process.Family;
import dev.callbound.gateway.process.Leader;
import dev.callbound.gateway.process.ProcessOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The process of a server, in a process group of its own where the system has such a thing, so that
 * it ends together with all that it started. Thread-safe.
 */
final class ChildProcess {
  private final Process process;
  private final Instant startedAt;
  private final Family family;

  private ChildProcess(Leader leader) {
    this.process = leader.process();
    this.family = leader.family();
    this.startedAt = process.info().startInstant().orElseGet(Instant::now);
  }

  /**
   * Starts the process.
   *
   * @throws IOException if it can't be started; the message says why, without the arguments
   */
  static ChildProcess start(Stdio stdio) throws IOException {
    Map<String, String> environment = Environment.of(System.getenv(), stdio.env());
    List<String> command = new ArrayList<>(stdio.args());
    command.addFirst(stdio.command());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    if (stdio.cwd() != null) {
      if (!Files.isDirectory(stdio.cwd())) {
        throw new IOException("its working directory does not exist: " + stdio.cwd());
      }
      builder.directory(stdio.cwd().toFile());
    }
    return new ChildProcess(Leader.start(builder));
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
    return family.end(grace);
  }
}
