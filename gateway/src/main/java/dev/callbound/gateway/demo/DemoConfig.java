package dev.callbound.gateway.demo;

import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The config of the demo's gateway, kept beside its journal for whoever wants to look. */
final class DemoConfig {
  static final String HTTP_SERVER = "flaky";
  static final String STDIO_SERVER = "crashing";

  private DemoConfig() {}

  /** Where the journal lies. */
  static Path journal(Path folder) {
    return folder.resolve("callbound.db");
  }

  /**
   * Writes the config into the folder: the defaults, but for the timeout, which is that of the
   * other client, and a limit that a result exceeds soon.
   */
  static Path write(Path folder, Backend backend) throws IOException {
    String yaml =
        """
        servers:
          %s:
            url: %s
            max_result: 1MiB
          %s:
            command: %s
            args: %s
        defaults:
          deadline: %ds
          late_window: 0s
        listen:
          address: 127.0.0.1:0
        journal:
          file: %s
        """
            .formatted(
                HTTP_SERVER,
                backend.url(),
                STDIO_SERVER,
                quoted(backend.command().getFirst()),
                quoted(backend.command().subList(1, backend.command().size())),
                NaiveClient.TIMEOUT.toSeconds(),
                quoted(journal(folder).toString()));
    return Files.writeString(folder.resolve("callbound.yaml"), yaml);
  }

  /** JSON is YAML, and quotes whatever a path may hold; a plain dollar is written as two. */
  private static String quoted(Object value) {
    return JsonRpc.text(JsonRpc.tree(value)).replace("${", "$${");
  }
}
