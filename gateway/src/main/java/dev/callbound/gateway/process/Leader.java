package dev.callbound.gateway.process;

import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A process that was started here, in a process group of its own where the system has such a thing,
 * so that it ends together with all that it starts. Immutable and thread-safe.
 *
 * @param process the process itself
 * @param family it, and all that it started
 */
public record Leader(Process process, Family family) {
  private static final Logger LOG = System.getLogger(Leader.class.getName());

  /** How a process is put into a group of its own; empty where that can't be done. */
  private static final Optional<Grouping> GROUPING = grouping();

  /** The program that makes the process that it becomes the leader of a group, and the signals. */
  private record Grouping(Path setsid, Signals signals) {}

  /**
   * Starts a process.
   *
   * @param builder what to start, whose command is changed by this
   * @throws IOException if it can't be started; the message says why, without the arguments
   */
  public static Leader start(ProcessBuilder builder) throws IOException {
    if (GROUPING.isEmpty()) {
      Process process = builder.start();
      return new Leader(process, new Family.Descendants(process.toHandle()));
    }
    Grouping grouping = GROUPING.get();
    String program = builder.command().getFirst();
    File directory = builder.directory();
    // Else it would be setsid that says so, when it has become the process.
    Path base = directory == null ? null : directory.toPath();
    String path = Objects.requireNonNullElse(builder.environment().get("PATH"), "");
    if (Executable.find(program, path, base).isEmpty()) {
      throw new IOException(Executable.complaint(program, base));
    }
    List<String> command = new ArrayList<>(builder.command());
    command.addFirst(grouping.setsid().toString());
    Process process = builder.command(command).start();
    return new Leader(process, new Family.Group(grouping.signals(), process.toHandle()));
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
          "no setsid on the PATH: what a process starts is found by its parent, and may be left"
              + " behind when that ends first");
    }
    return grouping;
  }
}
