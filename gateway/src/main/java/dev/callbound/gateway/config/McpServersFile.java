package dev.callbound.gateway.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers in another program's JSON: {@code mcpServers}, as Claude Code, Claude Desktop and
 * Cursor write it, or {@code servers}, as VS Code does. What else is in the file is that program's.
 */
final class McpServersFile {
  private static final List<String> NAMES = List.of("mcpServers", "servers");

  private McpServersFile() {}

  static Map<String, MappingReader> read(SourceFile file, Reading reading) {
    Map<String, MappingReader> readers = new LinkedHashMap<>();
    Node.Mapping root = file.json(reading.problems());
    if (root == null) {
      return readers;
    }
    boolean found = false;
    for (String name : NAMES) {
      Node.Entry entry = root.entries().get(name);
      if (entry != null) {
        found = true;
        read(name, entry, file, reading, readers);
      }
    }
    if (!found) {
      reading
          .problems()
          .add(file.problem(0, "", "holds no mcpServers", "name a file with an mcpServers object"));
    }
    return readers;
  }

  private static void read(
      String name,
      Node.Entry entry,
      SourceFile file,
      Reading reading,
      Map<String, MappingReader> readers) {
    if (!(entry.value() instanceof Node.Mapping servers)) {
      reading
          .problems()
          .add(
              file.problem(
                  entry.line(),
                  name,
                  "holds " + entry.value().kind(),
                  "write an object of servers"));
      return;
    }
    servers
        .entries()
        .forEach(
            (server, value) -> {
              String path = name + "." + server;
              if (value.value() instanceof Node.Mapping mapping) {
                readers.put(
                    server,
                    MappingReader.lenient(
                        reading,
                        file,
                        new Node.Mapping(value.line(), mapping.entries()),
                        path,
                        Keys.McpServer.SECTION));
              } else {
                reading
                    .problems()
                    .add(
                        file.problem(
                            value.line(),
                            path,
                            "holds " + value.value().kind(),
                            "write an object with command or url"));
              }
            });
  }
}
