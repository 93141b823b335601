package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a door hands requests to. A door knows bytes and connections; from here on there are
 * messages and clients. Thread-safe.
 */
public interface Bridge {
  /**
   * What a door knows of a client when it meets it.
   *
   * @param principal whose calls these are: from the token, else {@code local}
   * @param revision the revision agreed on with it
   * @param info how it named itself ({@code clientInfo})
   * @param capabilities what it declared
   * @param server the one server that its endpoint is for; null for all
   * @param session the session's id; null in a revision without sessions, and then the client lives
   *     for one request
   */
  record Greeting(
      String principal,
      Revision revision,
      JsonObject info,
      JsonObject capabilities,
      @Nullable String server,
      @Nullable String session) {}

  /**
   * What came with a request beside its body.
   *
   * @param run the header {@code Callbound-Run}: the id or name of a run; null without
   * @param step the header {@code Callbound-Step}; null without
   * @param mirrored the headers {@code Mcp-Param-NAME}, by NAME in lower case; null where there are
   *     no headers at all
   */
  record Context(
      @Nullable String run, @Nullable String step, @Nullable Map<String, String> mirrored) {
    /** Nothing beside the body. */
    public static final Context NONE = new Context(null, null, null);
  }

  /**
   * Takes a client in.
   *
   * @throws UnknownServerException if the greeting names a server that is not configured
   */
  Client greet(Greeting greeting);

  /**
   * Takes a request, {@code initialize} and {@code server/discover} included. Returns at once; the
   * work goes on beside, and ends in the conversation's last message.
   */
  Conversation receive(Message.Request request, Client client, Context context);

  /** Takes a notification; {@code notifications/cancelled} ends the request that it names. */
  void receive(Message.Notification notification, Client client);

  /** Takes the client's answer to a request that a conversation put to it. */
  void receive(Message.Response response, Client client);

  /** The greeting named a server that is not configured. */
  final class UnknownServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownServerException(String message) {
      super(message);
    }
  }
}
