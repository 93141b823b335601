package dev.callbound.gateway.config;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

/**
 * A command that prints, as one JSON object, the header fields by which a server knows us.
 * Immutable.
 *
 * @param key the key of the config under which it stands; errors name it by that, because its
 *     arguments may carry a secret
 * @param command the program and its arguments, at least one; a relative path of a program begins
 *     in the folder
 * @param folder where it runs
 */
public record HeadersCommand(String key, List<String> command, Path folder) {
  public HeadersCommand {
    command = List.copyOf(command);
    if (command.isEmpty() || command.getFirst().isBlank()) {
      throw new IllegalArgumentException(key + " must name a program");
    }
  }

  /** A line that the system's shell runs. */
  static HeadersCommand ofShell(String key, String line, Path folder) {
    return new HeadersCommand(
        key,
        File.separatorChar == '/' ? List.of("/bin/sh", "-c", line) : List.of("cmd", "/c", line),
        folder);
  }

  /** Without the command's text, which may carry a secret. */
  @Override
  public String toString() {
    return key + "[" + command.size() + " words]";
  }
}
