package dev.callbound.gateway.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the servers of a file, ours or another program's.
 *
 * @param defaults what holds for every tool
 * @param prefix when tools carry their server's name, unless the server says otherwise
 * @param maxResultBytes the largest result, unless the server says otherwise
 */
record ServerReader(CallLayers defaults, Prefix prefix, int maxResultBytes, UserFolders folders) {
  private static final int LONGEST_TOOL_NAME = 128;

  /** The server; null if it is switched off, or can't be made, which is reported. */
  @Nullable ServerConfig read(String name, MappingReader reader) {
    if (!ServerConfig.isName(name)) {
      reader.problem("is not a server's name", "use 1 to 32 letters, digits, - and _, without __");
      return null;
    }
    // What is switched off may lack its variables.
    if (!reader.value(Keys.Server.ENABLED) || reader.value(Keys.McpServer.DISABLED)) {
      return null;
    }
    ServerConfig.Transport transport = new TransportReader(reader, folders).read();
    CallLayers calls = defaults.under(layer(reader, Keys.SERVER_CALL));
    Integer max = reader.written(Keys.Server.MAX_RESULT);
    Prefix own = reader.written(Keys.Server.PREFIX);
    ToolConfig others = calls.resolve();
    Map<String, ToolConfig> tools = tools(reader, calls);
    Annotations annotations = reader.value(Keys.Server.ANNOTATIONS);
    Protocol protocol = reader.value(Keys.Server.PROTOCOL);
    var startTimeout = reader.value(Keys.Server.START_TIMEOUT);
    if (transport == null) {
      return null;
    }
    return new ServerConfig(
        name,
        transport,
        annotations,
        own != null ? own : prefix,
        protocol,
        startTimeout,
        max != null ? max : maxResultBytes,
        others,
        tools);
  }

  private Map<String, ToolConfig> tools(MappingReader reader, CallLayers calls) {
    Map<String, ToolConfig> tools = new LinkedHashMap<>();
    reader
        .parts(Keys.Server.TOOLS)
        .forEach(
            (tool, part) -> {
              if (tool.isBlank() || tool.length() > LONGEST_TOOL_NAME) {
                part.problem(
                    "is not a tool's name", "use 1 to " + LONGEST_TOOL_NAME + " characters");
              }
              CallLayers own = calls.under(layer(part, Keys.TOOL_CALL));
              tools.put(tool, own.resolve().withEffect(part.written(Keys.Tool.EFFECT)));
            });
    return tools;
  }

  private CallLayer layer(MappingReader reader, CallKeys keys) {
    return CallLayer.read(reader, keys, defaults.run());
  }

  /** All servers that are switched on, by name; {@code names} says where each name was first. */
  Map<String, ServerConfig> readAll(Map<String, MappingReader> readers, Map<String, String> names) {
    Map<String, ServerConfig> servers = new LinkedHashMap<>();
    readers.forEach(
        (name, reader) -> {
          String place = reader.file().path() + ":" + reader.line();
          String first = names.putIfAbsent(name, place);
          if (first != null) {
            reader.problem("is a server already, at " + first, "give one of them another name");
            return;
          }
          ServerConfig server = read(name, reader);
          if (server != null) {
            servers.put(name, server);
          }
        });
    return servers;
  }
}
