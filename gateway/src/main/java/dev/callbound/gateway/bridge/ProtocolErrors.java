package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.RpcError;

/** The errors of a server that are not for the model but for the client's own protocol layer. */
final class ProtocolErrors {
  private ProtocolErrors() {}

  /**
   * Whether the client itself must act on the error: declare a capability (MCP 2026-07-28), or open
   * a URL (MCP 2025-11-25). It is then passed on as it came.
   */
  static boolean forClient(RpcError error) {
    return error.code() == RpcError.MISSING_CAPABILITY
        || error.code() == RpcError.URL_ELICITATION_REQUIRED;
  }
}
