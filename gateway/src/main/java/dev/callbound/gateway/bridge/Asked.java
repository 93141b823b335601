package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.run.Run;
import org.jspecify.annotations.Nullable;

/**
 * A {@code tools/call} that has been understood: which tool of which server is meant, in which run.
 *
 * @param tool the tool's name at its server
 * @param listed the tool as its server listed it; null where its tools can't be listed now
 * @param params the parameters as the server gets them, but for a key or a marker
 * @param digest of the arguments, the same for every spelling of them
 */
record Asked(
    Talk talk,
    Session session,
    ToolRequest request,
    ServerTools server,
    String tool,
    ServerTools.@Nullable Tool listed,
    ToolConfig bounds,
    Effects.Decided effect,
    Contents contents,
    Run run,
    JsonObject params,
    String digest) {

  /** How long its client waits for it. */
  Stay stay() {
    return Stay.of(session, request.params(), bounds.waiting().detachAfter());
  }

  /** The arguments as the client gave them; empty where there are none. */
  Json arguments() {
    Json arguments = params.get("arguments");
    return arguments == null ? JsonObject.EMPTY.toJson() : arguments;
  }
}
