package dev.callbound.gateway.door.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Message;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;

/** Answers in one piece. */
final class Replies {
  private Replies() {}

  /**
   * Sends a message as the whole answer. The bytes of a result go from where they are to the wire.
   */
  static void send(ServerResponse response, Status status, Message message) {
    response.status(status);
    response.header(HeaderNames.CONTENT_TYPE, MediaRules.JSON);
    response.header(HeaderNames.CONTENT_LENGTH, Long.toString(length(message)));
    try (OutputStream out = response.outputStream()) {
      message.writeTo(out);
    } catch (IOException e) {
      throw new ServerConnectionException("the client has gone", e);
    }
  }

  /** Sends a JSON value as the whole answer. */
  static void send(ServerResponse response, Status status, Json json) {
    response.status(status);
    response.header(HeaderNames.CONTENT_TYPE, MediaRules.JSON);
    response.send(json.toBytes());
  }

  /** Turns a request away as JSON-RPC says it. */
  static void refuse(ServerResponse response, RefusedException refusal) {
    refusal.headers().forEach((name, value) -> response.header(name, value));
    send(response, refusal.status(), new Message.ErrorResponse(refusal.id(), refusal.error()));
  }

  private static long length(Message message) {
    var counter = new CountingOutputStream();
    try {
      message.writeTo(counter);
    } catch (IOException e) {
      throw new IllegalStateException("counting does not fail", e);
    }
    return counter.count;
  }

  private static final class CountingOutputStream extends OutputStream {
    private long count;

    @Override
    public void write(int b) {
      count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      count += length;
    }
  }
}
