package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A {@code tools/call} as its client wrote it.
 *
 * @param name the name that the client calls the tool by
 * @param arguments an object; empty where there are none
 * @param params all parameters, as they came
 * @param run the run that it names; null when it names none
 * @param step the client's own name for this place in its work; null without one
 */
record ToolRequest(
    String name, Json arguments, JsonObject params, @Nullable String run, @Nullable String step) {
  private static final String RUN = "dev.callbound/run";
  private static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";
  private static final String STEP = "dev.callbound/step";

  /** Names of {@code _meta} that are between us and the client; the server gets its own. */
  private static final String[] OURS = {
    "progressToken",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
    RUN,
    STEP
  };

  /** Why these are not the parameters of a call; null when they are. */
  static @Nullable String complaint(JsonObject params) {
    if (params.text("name") == null) {
      return "tools/call needs the tool's name in params.name";
    }
    Json arguments = params.get("arguments");
    return arguments == null || arguments.isObject() ? null : "params.arguments must be an object";
  }

  /**
   * Reads parameters that there is no {@link #complaint} about; {@code _meta} beats the headers.
   */
  static ToolRequest read(JsonObject params, Bridge.Context context) {
    String name = params.text("name");
    Json arguments = params.get("arguments");
    JsonObject meta = params.object("_meta");
    return new ToolRequest(
        name == null ? "" : name,
        arguments == null ? JsonObject.EMPTY.toJson() : arguments,
        params,
        meta.text(RUN) != null ? meta.text(RUN) : context.run(),
        meta.text(STEP) != null ? meta.text(STEP) : context.step());
  }

  /**
   * The parameters as the server gets them: under its own name, all else as it came.
   *
   * @param logLevel what the client said in its session; null for nothing
   */
  JsonObject forServer(String tool, @Nullable Json logLevel) {
    // Whether the server makes a task of it is between the gateway and the server.
    JsonObject named = withoutOurs(params).without("task").with("name", Json.text(tool));
    // A server without sessions is told with each request.
    return logLevel == null
        ? named
        : named.with("_meta", named.object("_meta").with(LOG_LEVEL, logLevel).toJson());
  }

  /** Parameters without the parts of {@code _meta} that are between us and the client. */
  static JsonObject withoutOurs(JsonObject params) {
    if (params.get("_meta") == null) {
      return params;
    }
    JsonObject meta = params.object("_meta");
    for (String name : OURS) {
      meta = meta.without(name);
    }
    return meta.isEmpty() ? params.without("_meta") : params.with("_meta", meta);
  }
}
