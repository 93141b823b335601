package dev.callbound.gateway.door;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;

/** The errors that a door answers with itself. */
public final class DoorErrors {
  /**
   * The code of a refusal that a client may come back after. Our own codes stay outside the range
   * that JSON-RPC keeps for itself (-32768 to -32000).
   */
  public static final int BUSY = 503;

  private DoorErrors() {}

  /** As much is going on as is allowed, or the door is closing. */
  public static RpcError busy(String why) {
    return RpcError.of(BUSY, why);
  }

  /** The answer to bytes that are no message; nobody knows its id. */
  public static Message.ErrorResponse malformed(MalformedMessageException e) {
    return new Message.ErrorResponse(
        Json.NULL, RpcError.of(e.code(), String.valueOf(e.getMessage())));
  }
}
