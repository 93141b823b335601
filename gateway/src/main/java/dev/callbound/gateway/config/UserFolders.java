package dev.callbound.gateway.config;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where the user's files lie, by the XDG base directory specification.
 *
 * @param environment that of the process
 */
record UserFolders(Map<String, String> environment) {
  private static final String PROGRAM = "callbound";

  /** Where the config is looked for. */
  Path config() {
    return folder("XDG_CONFIG_HOME", Path.of(".config")).resolve(PROGRAM);
  }

  /** Where the journal is kept. */
  Path state() {
    return folder("XDG_STATE_HOME", Path.of(".local", "state")).resolve(PROGRAM);
  }

  /** The path, with {@code ~/} for the home folder, and else relative to the given folder. */
  Path resolve(String path, Path folder) {
    return path.startsWith("~/")
        ? home().resolve(path.substring(2))
        : folder.resolve(path).normalize();
  }

  private Path folder(String variable, Path inHome) {
    String value = environment.getOrDefault(variable, "");
    // The specification: a path that is not absolute counts as not set.
    return value.startsWith("/") ? Path.of(value) : home().resolve(inHome);
  }

  private Path home() {
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home", "/") : home);
  }
}
