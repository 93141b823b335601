package dev.callbound.gateway.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds programs as {@code execvp} does, so that a missing one can be named before the start. */
final class Executable {
  private Executable() {}

  /**
   * The file that a command means.
   *
   * @param command a path, or a name to be looked up
   * @param path the directories to look in, as PATH lists them
   * @param directory where a relative path begins; null for where this process runs
   */
  static Optional<Path> find(String command, String path, @Nullable Path directory) {
    try {
      Path base = directory == null ? Path.of("") : directory;
      if (command.indexOf('/') >= 0 || command.indexOf(File.separatorChar) >= 0) {
        return Optional.of(base.resolve(command)).filter(Executable::runs);
      }
      return Arrays.stream(path.split(File.pathSeparator))
          .map(entry -> base.resolve(entry).resolve(command))
          .filter(Executable::runs)
          .findFirst();
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  /**
   * Why a command means no file that could be started.
   *
   * @param directory where a relative path begins; null for where this process runs
   */
  static String complaint(String command, @Nullable Path directory) {
    if (command.indexOf('/') < 0) {
      return "no such program on the PATH: " + command;
    }
    try {
      Path file = (directory == null ? Path.of("") : directory).resolve(command);
      if (Files.isDirectory(file)) {
        return "it is a directory: " + command;
      }
      return Files.exists(file)
          ? "it is not executable (chmod +x makes it so): " + command
          : "no such program: " + command;
    } catch (InvalidPathException _) {
      return "no program can have this path: " + command;
    }
  }

  private static boolean runs(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
