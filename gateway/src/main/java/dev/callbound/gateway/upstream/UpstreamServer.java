package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.policy.Reply;

/**
 * One MCP server behind the gateway, whatever carries it there. Connects when it is first needed,
 * and again after it was lost; thread-safe, shared by all clients; one slow request never holds up
 * another.
 *
 * <p>Every blocking method ends at once when its thread is interrupted, and leaves the flag set: an
 * interrupted request is withdrawn at the server as its revision says. None of them repeats
 * anything by itself, with two exceptions: where the server said that it does not know the session,
 * or refuses credentials that can be renewed, that is done and the request, which was not taken, is
 * sent once more.
 */
public interface UpstreamServer extends AutoCloseable {
  /** The server's name in the configuration. */
  String name();

  /**
   * Connects if need be, and returns how the server introduced itself.
   *
   * @return a failure where it could not be reached; never a tool's error
   */
  Reply<Introduction> introduction(Exchange exchange);

  /**
   * Makes a request and waits for its answer. Connecting and the handshake, where needed, are part
   * of it.
   *
   * <p>The progress token and the {@code _meta} fields that the protocol itself defines are set
   * here; those of the client must not be in the parameters.
   *
   * @return the result as it came, or what is known about the failure
   */
  Reply<Json> request(String method, JsonObject params, Exchange exchange);

  /** Sends a notification, if there is a connection; drops it otherwise. */
  void send(Message.Notification notification);

  /**
   * Sets who hears what the server says outside any request: list-changed, resource updates, logs.
   * Set once, before the first use.
   */
  void listen(Listener listener);

  /** Ends the connection and, for a process, the process and all it started. Waits, bounded. */
  @Override
  void close();

  /** Hears what a server says outside any request. Must not block. */
  @FunctionalInterface
  interface Listener {
    /** The server said this. */
    void heard(UpstreamServer server, Message.Notification notification);
  }
}
