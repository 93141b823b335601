package dev.callbound.gateway.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Config files in a temporary folder, and the environment to load them in. */
final class ConfigFiles {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private @Nullable Path yaml;
  private @Nullable Path json;

  ConfigFiles(Path folder) {
    this.folder = folder;
    environment.put("HOME", folder.resolve("home").toString());
  }

  ConfigFiles with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  ConfigFiles yaml(String... lines) {
    yaml = write("callbound.yaml", lines);
    return this;
  }

  ConfigFiles json(String... lines) {
    json = write("mcp.json", lines);
    return this;
  }

  ConfigFiles bytes(byte[] bytes) {
    yaml = folder.resolve("callbound.yaml");
    write(yaml, bytes);
    return this;
  }

  Path write(String name, String... lines) {
    Path file = folder.resolve(name);
    write(file, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    return file;
  }

  Config load() {
    return new ConfigLoader(environment).load(yaml, json);
  }

  private static void write(Path file, byte[] bytes) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, bytes);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
