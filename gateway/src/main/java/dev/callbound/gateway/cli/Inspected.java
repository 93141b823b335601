package dev.callbound.gateway.cli;

import dev.callbound.gateway.bridge.Effects;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.upstream.Introduction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found at one server.
 *
 * @param introduction how it introduced itself; null if it could not be reached
 * @param errors what must be mended before it can be used
 * @param warnings what somebody should know
 */
record Inspected(
    ServerConfig server,
    @Nullable Introduction introduction,
    List<Tool> tools,
    List<String> errors,
    List<String> warnings) {
  /** A tool, and how its calls are bounded. */
  record Tool(String name, Effects.Decided effect, ToolConfig bounds) {}

  Inspected {
    tools = List.copyOf(tools);
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  /** One that could not be reached, or not be asked. */
  static Inspected failed(ServerConfig server, @Nullable Introduction introduction, String error) {
    return new Inspected(server, introduction, List.of(), List.of(error), List.of());
  }
}
