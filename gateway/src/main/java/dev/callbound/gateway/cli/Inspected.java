package dev.callbound.gateway.cli;

import dev.callbound.gateway.bridge.Effects;
import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.upstream.Introduction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found at one server.
 *
 * @param introduction how it introduced itself; null if it could not be reached
 * @param profile what is known of its tools; null if nothing is
 * @param errors what must be mended before it can be used
 * @param warnings what somebody should know
 */
record Inspected(
    ServerConfig server,
    @Nullable Introduction introduction,
    @Nullable Profile profile,
    List<Tool> tools,
    List<String> errors,
    List<String> warnings) {
  /**
   * A tool, and how its calls are bounded.
   *
   * @param listed as the server lists it
   */
  record Tool(String name, Json listed, Effects.Decided effect, ToolConfig bounds) {}

  Inspected {
    tools = List.copyOf(tools);
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  /** One that could not be reached, or not be asked. */
  static Inspected failed(ServerConfig server, @Nullable Introduction introduction, String error) {
    return new Inspected(server, introduction, null, List.of(), List.of(error), List.of());
  }
}
