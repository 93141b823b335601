package dev.callbound.gateway.door;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import org.jspecify.annotations.Nullable;

/**
 * How a client of a revision with sessions begins: {@code initialize} (MCP 2025-11-25, lifecycle).
 */
public final class Handshake {
  /** The method that begins a session. */
  public static final String METHOD = "initialize";

  private Handshake() {}

  /**
   * The revision to speak with the client: the one that it asked for where that has sessions and is
   * known here, else the newest that has.
   */
  public static Revision revision(Message.Request initialize) {
    String asked = initialize.params().text("protocolVersion");
    return asked == null
        ? Revision.NEWEST_WITH_SESSIONS
        : Revision.of(asked).filter(Revision::hasSessions).orElse(Revision.NEWEST_WITH_SESSIONS);
  }

  /** The client as it introduces itself. */
  public static Bridge.Greeting greeting(
      Message.Request initialize, String principal, @Nullable String server, String session) {
    JsonObject params = initialize.params();
    return new Bridge.Greeting(
        principal,
        revision(initialize),
        params.object("clientInfo"),
        params.object("capabilities"),
        server,
        session);
  }
}
