package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request that came by POST: answered with one JSON body or with an event stream. */
final class HttpExchange implements Exchange {
  private static final int STALLED_LENGTH = 1000;

  private final HttpResponse response;
  private final @Nullable Session session;
  private final String protocol;
  private final JsonNode id;
  private final boolean acceptsEvents;
  private final Consumer<EventStream> streams;
  private volatile @Nullable EventStream stream;

  /**
   * @param streams told of every stream that is opened, so that it can be resumed
   */
  HttpExchange(
      HttpRequest request,
      HttpResponse response,
      @Nullable Session session,
      String protocol,
      JsonNode id,
      Consumer<EventStream> streams) {
    this.response = response;
    this.session = session;
    this.protocol = protocol;
    this.id = id;
    this.acceptsEvents = request.acceptsEvents();
    this.streams = streams;
    whenGone(() -> {});
  }

  @Override
  public @Nullable Session session() {
    return session;
  }

  @Override
  public String protocol() {
    return protocol;
  }

  @Override
  public JsonNode id() {
    return id;
  }

  @Override
  public boolean canStream() {
    return acceptsEvents;
  }

  @Override
  public boolean gone() {
    return response.gone();
  }

  @Override
  public void whenGone(Runnable action) {
    response.whenGone(
        () -> {
          EventStream current = stream;
          if (current != null) {
            current.lost(response);
          }
          action.run();
        });
  }

  @Override
  public void stream() {
    opened();
  }

  private EventStream opened() {
    EventStream current = stream;
    if (current != null) {
      return current;
    }
    boolean resumable = !Protocol.isStateless(protocol);
    EventStream fresh = new EventStream(response, resumable);
    stream = fresh;
    streams.accept(fresh);
    response.beginStream(
        headers("text/event-stream")
            .set("Cache-Control", "no-cache")
            .set("X-Accel-Buffering", "no"));
    if (resumable && Protocol.primesStreams(protocol)) {
      fresh.emit("");
    }
    return fresh;
  }

  @Override
  public void message(JsonNode message) {
    if (stream != null || (acceptsEvents && !response.begun())) {
      opened().emit(JsonRpc.text(message));
    }
  }

  @Override
  public void comment(String text) {
    opened().raw(": " + text + "\n\n");
  }

  @Override
  public void noise(String line) {
    opened().raw("event: message\ndata: " + line + "\n\n");
  }

  @Override
  public void answer(JsonNode answer, int status, boolean split) throws InterruptedException {
    EventStream current = stream;
    if (current != null) {
      current.emit(JsonRpc.text(answer));
      current.end();
      return;
    }
    byte[] body = JsonRpc.bytes(answer);
    List<byte[]> pieces = split ? SplitText.pieces(body) : List.of(body);
    response.begin(status, headers("application/json"), body.length);
    for (byte[] piece : pieces) {
      response.write(piece);
      if (pieces.size() > 1) {
        TimeUnit.MILLISECONDS.sleep(SplitText.PAUSE_MILLIS);
      }
    }
    response.end();
  }

  @Override
  public void status(int status, HttpHeaders headers, String body) {
    if (stream != null) {
      // The status line has been sent; all that is left is to break off.
      response.reset();
      return;
    }
    response.send(status, headers, body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void raw(int status, String type, String body) {
    EventStream current = stream;
    if (current == null) {
      status(status, HttpHeaders.of("Content-Type", type), body);
    } else {
      noise(body);
      current.end();
    }
  }

  @Override
  public void truncate(JsonNode answer) {
    byte[] body = JsonRpc.bytes(answer);
    byte[] half = Arrays.copyOf(body, body.length / 2);
    EventStream current = stream;
    if (current == null) {
      response.begin(200, headers("application/json"), body.length);
      response.write(half);
    } else {
      current.raw("data: " + new String(half, StandardCharsets.UTF_8));
    }
    response.close();
  }

  @Override
  public void stall() {
    if (stream == null) {
      response.begin(200, headers("application/json"), STALLED_LENGTH);
      response.write("{\"jsonrpc\":\"2.0\",".getBytes(StandardCharsets.US_ASCII));
    } else {
      opened().raw("data: {\"jsonrpc\":\"2.0\",");
    }
  }

  @Override
  public void drop(boolean resumable) {
    opened().drop(resumable);
  }

  @Override
  public void awaitResumed(Duration timeout) throws InterruptedException {
    opened().awaitConnected(timeout);
  }

  @Override
  public void reset() {
    response.reset();
  }

  @Override
  public void close() {
    response.close();
  }

  @Override
  public void endUnanswered() {
    EventStream current = stream;
    if (current != null) {
      current.end();
    }
  }

  private HttpHeaders headers(String contentType) {
    HttpHeaders headers = HttpHeaders.of("Content-Type", contentType);
    String sessionId = session == null ? null : session.id();
    return sessionId == null ? headers : headers.set("Mcp-Session-Id", sessionId);
  }
}
