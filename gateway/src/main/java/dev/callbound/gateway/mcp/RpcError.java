package dev.callbound.gateway.mcp;

import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC error object.
 *
 * @param data what came with it, as it came; null for nothing
 */
public record RpcError(int code, String message, @Nullable Json data) {
  /** Not JSON (JSON-RPC 2.0 §5.1). */
  public static final int PARSE_ERROR = -32700;

  /** JSON, but not a request (JSON-RPC 2.0 §5.1). */
  public static final int INVALID_REQUEST = -32600;

  /** No such method (JSON-RPC 2.0 §5.1). */
  public static final int METHOD_NOT_FOUND = -32601;

  /** The parameters are wrong (JSON-RPC 2.0 §5.1; MCP: an unknown tool too). */
  public static final int INVALID_PARAMS = -32602;

  /** The server failed (JSON-RPC 2.0 §5.1). */
  public static final int INTERNAL_ERROR = -32603;

  /** A resource does not exist (MCP up to 2025-11-25). */
  public static final int RESOURCE_NOT_FOUND = -32002;

  /** The headers and the body of a request disagree (MCP 2026-07-28). */
  public static final int HEADER_MISMATCH = -32020;

  /** The client lacks a capability that the request needs (MCP 2026-07-28). */
  public static final int MISSING_CAPABILITY = -32021;

  /** The server does not speak the revision asked for (MCP 2026-07-28). */
  public static final int UNSUPPORTED_REVISION = -32022;

  /** The client must open a URL first (MCP 2025-11-25 only). */
  public static final int URL_ELICITATION_REQUIRED = -32042;

  /** An error that carries no data. */
  public static RpcError of(int code, String message) {
    return new RpcError(code, message, null);
  }

  /** Reads an error object; what is missing gets a plain value. */
  public static RpcError read(Json json) {
    JsonObject members = json.asObject().orElse(JsonObject.EMPTY);
    Json code = members.get("code");
    String message = members.text("message");
    return new RpcError(
        code == null ? INTERNAL_ERROR : (int) code.asLong().orElse(INTERNAL_ERROR),
        message == null ? "" : message,
        members.get("data"));
  }

  /** The error as JSON. */
  public JsonObject toJson() {
    JsonObject error = JsonObject.of("code", Json.number(code)).with("message", Json.text(message));
    return data == null ? error : error.with("data", data);
  }
}
