package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.client.WireException.Kind;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import dev.callbound.testkit.wire.SseReader;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** MCP over Streamable HTTP, one connection a request. Thread-safe. */
final class HttpChannel implements Channel {
  private final URI endpoint;
  private final Duration timeout;
  private final HttpHeaders extraHeaders;
  private final Inbox inbox;
  private final Set<HttpCall> open = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String session;
  private volatile @Nullable String version;

  HttpChannel(URI endpoint, Duration timeout, HttpHeaders extraHeaders, Inbox inbox) {
    this.endpoint = endpoint;
    this.timeout = timeout;
    this.extraHeaders = extraHeaders;
    this.inbox = inbox;
  }

  @Nullable String session() {
    return session;
  }

  void session(@Nullable String id) {
    session = id;
  }

  /** Sends this revision in MCP-Protocol-Version from here on. */
  void version(String revision) {
    version = revision;
  }

  @Override
  public JsonNode exchange(ObjectNode request, HttpHeaders headers, PendingCall call) {
    HttpCall http = new HttpCall(endpoint, timeout);
    open.add(http);
    call.onHangUp(http::close);
    try (http) {
      connect(http);
      http.send("POST", target(), headersFor(request).setAll(headers), JsonRpc.bytes(request));
      HttpCall.Incoming incoming = http.receive();
      String given = incoming.headers().first("Mcp-Session-Id");
      if (request.path("method").asText().equals("initialize") && given != null) {
        session = given;
      }
      return incoming.status() == 200 && incoming.isEventStream()
          ? answerInStream(request.path("id"), incoming, call)
          : answerInBody(request.path("id"), incoming.whole());
    } catch (IOException e) {
      throw broken(e, call);
    } finally {
      open.remove(http);
    }
  }

  /** Comes back for the answer of a call whose stream broke after an event with an id. */
  JsonNode resume(PendingCall call) {
    String eventId = call.lastEventId();
    if (eventId == null) {
      throw new IllegalStateException("nothing to resume: no event had an id");
    }
    HttpCall http = new HttpCall(endpoint, timeout);
    open.add(http);
    try (http) {
      connect(http);
      http.send("GET", target(), streamHeaders().set("Last-Event-ID", eventId), new byte[0]);
      HttpCall.Incoming incoming = http.receive();
      if (incoming.status() != 200) {
        throw new WireException(Kind.STATUS, "resuming was refused", incoming.whole(), null);
      }
      return answerInStream(call.id(), incoming, call);
    } catch (IOException e) {
      throw broken(e, call);
    } finally {
      open.remove(http);
    }
  }

  /** Opens the standalone stream; what it brings goes to the inbox until either side ends it. */
  StandaloneStream openStream() {
    HttpCall http = new HttpCall(endpoint, timeout);
    open.add(http);
    try {
      connect(http);
      http.send("GET", target(), streamHeaders(), new byte[0]);
      HttpCall.Incoming incoming = http.receive();
      if (incoming.status() != 200) {
        throw new WireException(Kind.STATUS, "no standalone stream", incoming.whole(), null);
      }
      StandaloneStream stream = new StandaloneStream(http);
      Thread.ofVirtual().start(() -> stream.read(incoming.body(), this::take));
      return stream;
    } catch (IOException e) {
      http.close();
      throw new WireException(Kind.BROKEN, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void send(ObjectNode message) {
    RawResponse response = raw("POST", target(), headersFor(message), JsonRpc.bytes(message));
    if (response.status() != 202 && response.status() != 200) {
      throw new WireException(Kind.STATUS, "not taken: " + response, response, null);
    }
  }

  /** Sends a POST with the usual headers, those given here in their place. */
  RawResponse post(byte[] body, HttpHeaders headers) {
    return raw("POST", target(), headersFor(JsonRpc.object()).setAll(headers), body);
  }

  /** Sends exactly this, plus Host, Connection and Content-Length where they are missing. */
  RawResponse raw(String method, String target, HttpHeaders headers, byte[] body) {
    HttpCall http = new HttpCall(endpoint, timeout);
    open.add(http);
    try (http) {
      connect(http);
      http.send(method, target, headers, body);
      return http.receive().whole();
    } catch (IOException e) {
      throw new WireException(Kind.BROKEN, String.valueOf(e.getMessage()), e);
    } finally {
      open.remove(http);
    }
  }

  /** Ends the session with a DELETE. */
  RawResponse endSession() {
    return raw("DELETE", target(), streamHeaders(), new byte[0]);
  }

  @Override
  public void disconnect() {
    open.forEach(HttpCall::close);
  }

  @Override
  public void close() {
    disconnect();
  }

  String target() {
    String path = endpoint.getRawPath();
    return path.isEmpty() ? "/" : path;
  }

  private void connect(HttpCall http) {
    try {
      http.connect();
    } catch (IOException e) {
      throw new WireException(Kind.NOT_CONNECTED, endpoint + ": " + e.getMessage(), e);
    }
  }

  private JsonNode answerInStream(JsonNode id, HttpCall.Incoming incoming, PendingCall call)
      throws IOException {
    SseReader events = new SseReader(incoming.body(), call::heardComment);
    for (SseReader.Event event = events.next(); event != null; event = events.next()) {
      call.received(event.id());
      if (event.data().isEmpty()) {
        continue;
      }
      JsonNode message = message(event.data());
      if (message.path("id").equals(id) && JsonRpc.isResponse(message)) {
        return message;
      }
      take(message);
    }
    throw new WireException(Kind.NO_ANSWER, "the event stream ended without the answer", null);
  }

  private static JsonNode message(String data) {
    try {
      return JsonRpc.parse(data);
    } catch (IllegalArgumentException e) {
      // Noise between messages: it may still be followed by the answer.
      return JsonRpc.object("noise", data);
    }
  }

  private static JsonNode answerInBody(JsonNode id, RawResponse response) {
    JsonNode message;
    try {
      message = JsonRpc.read(response.body());
    } catch (IOException e) {
      Kind kind =
          response.status() == 200 && !response.text().isEmpty()
              ? Kind.NOT_THE_ANSWER
              : response.status() < 300 ? Kind.NO_ANSWER : Kind.STATUS;
      throw new WireException(kind, response.toString(), response, e);
    }
    boolean anonymous = message.has("error") && message.path("id").isNull();
    if (JsonRpc.isResponse(message)
        && message.has("jsonrpc")
        && (message.path("id").equals(id) || anonymous)) {
      return message;
    }
    Kind kind = response.status() == 200 ? Kind.NOT_THE_ANSWER : Kind.STATUS;
    throw new WireException(kind, response.toString(), response, null);
  }

  private void take(JsonNode message) {
    boolean taken =
        inbox.take(
            message,
            answer -> {
              try {
                send((ObjectNode) answer);
              } catch (WireException e) {
                System.getLogger(HttpChannel.class.getName())
                    .log(System.Logger.Level.WARNING, "the server did not take an answer", e);
              }
            });
    if (!taken) {
      System.getLogger(HttpChannel.class.getName())
          .log(System.Logger.Level.DEBUG, "a message that answers nothing was dropped");
    }
  }

  private static WireException broken(IOException e, PendingCall call) {
    Kind kind =
        call.hungUp()
            ? Kind.HUNG_UP
            : e instanceof SocketTimeoutException ? Kind.TIMED_OUT : Kind.BROKEN;
    return new WireException(kind, String.valueOf(e.getMessage()), e);
  }

  private HttpHeaders headersFor(ObjectNode message) {
    HttpHeaders headers =
        HttpHeaders.of(
            "Content-Type", "application/json", "Accept", "application/json, text/event-stream");
    addIdentity(headers);
    String sent = version;
    if (sent != null && !Revision.V2026_07_28.text().equals(sent)) {
      return headers.setAll(extraHeaders);
    }
    String method = message.path("method").asText("");
    if (sent != null && !method.isEmpty()) {
      headers.set("Mcp-Method", method);
      JsonNode params = message.path("params");
      String name =
          Stream.of("name", "uri", "taskId")
              .map(member -> params.path(member).asText(""))
              .filter(text -> !text.isEmpty())
              .findFirst()
              .orElse("");
      if (!name.isEmpty()) {
        headers.set("Mcp-Name", name);
      }
    }
    return headers.setAll(extraHeaders);
  }

  private HttpHeaders streamHeaders() {
    HttpHeaders headers = HttpHeaders.of("Accept", "text/event-stream");
    addIdentity(headers);
    return headers.setAll(extraHeaders);
  }

  private void addIdentity(HttpHeaders headers) {
    String sentVersion = version;
    String sentSession = session;
    if (sentVersion != null) {
      headers.set("MCP-Protocol-Version", sentVersion);
    }
    if (sentSession != null) {
      headers.set("Mcp-Session-Id", sentSession);
    }
  }
}
