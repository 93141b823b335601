package dev.callbound.gateway.door.http;

import dev.callbound.gateway.mcp.Message;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerResponse;

/**
 * The stream of what servers say outside any request (MCP 2025-11-25, listening for messages). Each
 * event has an id, and a client that comes back with the last one that it has gets what it missed,
 * as far as that is kept.
 */
final class ServerEvents {
  private final Session session;
  private final ServerResponse response;

  ServerEvents(Session session, ServerResponse response) {
    this.session = session;
    this.response = response;
  }

  /**
   * Writes until the client has gone, the session is over, or another stream takes over.
   *
   * @param lastEventId the last event that the client has; negative for none
   */
  void write(long lastEventId) {
    session.listen();
    try {
      EventStream events = new EventStream(response);
      // The headers must not wait for the first event.
      events.comment();
      if (lastEventId >= 0) {
        for (Session.Event event : session.eventsAfter(lastEventId)) {
          events.message(event.message(), Long.toString(event.id()));
        }
      }
      while (!Thread.currentThread().isInterrupted()) {
        Message message = session.client().next(Answer.SLOW_BEAT);
        if (message == null) {
          events.comment();
        } else {
          Session.Event event = session.event(message);
          events.message(message, Long.toString(event.id()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the stream is over", e);
    } finally {
      session.unlisten();
    }
  }
}
