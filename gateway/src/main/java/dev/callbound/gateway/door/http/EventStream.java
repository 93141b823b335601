package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.OneLineOutputStream;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Message;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer as a stream of server-sent events. Every method writes through to the socket, and
 * throws {@link ServerConnectionException} when the client has gone. Used by one thread.
 */
final class EventStream {
  private static final byte[] COMMENT = ascii(":\n\n");
  private static final byte[] DATA = ascii("data: ");
  private static final byte[] END = ascii("\n\n");

  private final OutputStream out;

  /** Begins the stream; the headers go out with the first thing that is written. */
  EventStream(ServerResponse response) {
    response.header(HeaderNames.CONTENT_TYPE, MediaRules.EVENTS);
    response.header(HeaderNames.CACHE_CONTROL, "no-cache");
    response.header(HeaderField.ACCEL_BUFFERING, "no");
    out = response.outputStream();
  }

  /**
   * Writes a message as one event.
   *
   * @param id the event's id; null for none
   */
  void message(Message message, @Nullable String id) {
    try {
      if (id != null) {
        out.write(ascii("id: " + id + "\n"));
      }
      out.write(DATA);
      message.writeTo(new OneLineOutputStream(out));
      out.write(END);
      out.flush();
    } catch (IOException e) {
      throw gone(e);
    }
  }

  /**
   * Writes a value as one event.
   *
   * @param name the kind of event
   */
  void event(String id, String name, Json data) {
    try {
      out.write(ascii("id: " + id + "\nevent: " + name + "\n"));
      out.write(DATA);
      data.writeTo(new OneLineOutputStream(out));
      out.write(END);
      out.flush();
    } catch (IOException e) {
      throw gone(e);
    }
  }

  /** Writes a line that says nothing, so that a client that has gone is noticed. */
  void comment() {
    try {
      out.write(COMMENT);
      out.flush();
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private static ServerConnectionException gone(IOException e) {
    return new ServerConnectionException("the client has gone", e);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
