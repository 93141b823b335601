package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.DoorErrors;
import dev.callbound.gateway.door.RequestMeta;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The message that a client posted, and which era of the protocol it belongs to. */
record PostedMessage(Message message, boolean standsForItself) {
  /**
   * Reads the body. The server has already turned away one that is too large.
   *
   * @throws RefusedException if it is not one JSON-RPC message
   */
  static PostedMessage read(ServerRequest request) throws RefusedException {
    byte[] body;
    try {
      body = Body.read(request);
    } catch (IOException e) {
      throw RefusedException.of(Status.BAD_REQUEST_400, "the body ended too early");
    }
    try {
      Message message = Message.parse(body);
      return new PostedMessage(message, standsForItself(message, request.headers()));
    } catch (MalformedMessageException e) {
      Message.ErrorResponse error = DoorErrors.malformed(e);
      throw RefusedException.of(Status.BAD_REQUEST_400, error.error(), error.id());
    }
  }

  /**
   * Whether the message needs no session. What it says of itself counts first, then the header; a
   * session's id settles what only an older revision would say.
   */
  private static boolean standsForItself(Message message, Headers headers) {
    @Nullable String version =
        switch (message) {
          case Message.Request request -> RequestMeta.version(request.params());
          case Message.Notification notification -> RequestMeta.version(notification.params());
          case Message.Response _ -> null;
        };
    if (version != null) {
      return !headers.contains(HeaderField.SESSION) || !isOfSessions(version);
    }
    return headers.first(HeaderField.PROTOCOL_VERSION).filter(PostedMessage::isLater).isPresent();
  }

  private static boolean isOfSessions(String version) {
    return Revision.of(version).filter(Revision::hasSessions).isPresent();
  }

  /** Revisions are dates, which sort as text. */
  private static boolean isLater(String version) {
    return version.compareTo(Revision.NEWEST_WITH_SESSIONS.date()) > 0;
  }
}
