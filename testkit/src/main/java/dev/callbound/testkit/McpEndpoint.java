package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** MCP over Streamable HTTP: sessions, posts, the standalone stream and resumption. Thread-safe. */
final class McpEndpoint {
  private static final int SESSION_UNKNOWN = -32001;
  private static final int INVALID_REQUEST = -32600;
  private static final int HEADER_MISMATCH = -32020;

  private final FaultEngine engine;
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final Map<String, EventStream> streams = new ConcurrentHashMap<>();

  McpEndpoint(FaultEngine engine) {
    this.engine = engine;
    engine.listen(this::broadcast);
  }

  int sessions() {
    return sessions.size();
  }

  void expireSessions() {
    sessions.clear();
  }

  void handle(HttpRequest request, HttpResponse response) throws InterruptedException {
    String token = engine.control().state().token();
    if (token != null && !("Bearer " + token).equals(request.header("Authorization"))) {
      engine.ledger().event("unauthorized", object("method", request.method()));
      HttpHeaders challenge = HttpHeaders.of("WWW-Authenticate", "Bearer error=\"invalid_token\"");
      send(response, 401, object("error", "invalid_token"), challenge);
      return;
    }
    if (request.method().equals("POST")) {
      post(request, response);
      return;
    }
    List<Step> fault = engine.dueFault(request.method());
    Session session = session(request);
    if (fault != null) {
      Exchange exchange =
          exchange(request, response, null, Protocol.LATEST_WITH_SESSIONS, NullNode.instance);
      engine.runner().run(fault, Scenario.of(request.method(), object(), exchange));
    } else if (request.method().equals("GET")) {
      get(request, response, session);
    } else if (request.method().equals("DELETE")) {
      boolean known =
          session != null && session.id() != null && sessions.remove(session.id()) != null;
      response.send(known ? 204 : 404, new HttpHeaders(), new byte[0]);
    } else {
      send(response, 405, object("error", "method not allowed"), new HttpHeaders());
    }
  }

  private void post(HttpRequest request, HttpResponse response) throws InterruptedException {
    JsonNode message;
    try {
      message = JsonRpc.read(request.body());
    } catch (IOException e) {
      refuse(response, 400, NullNode.instance, -32700, "Parse error");
      return;
    }
    JsonNode id = message.has("id") ? message.path("id") : NullNode.instance;
    String version = request.header("MCP-Protocol-Version");
    if (!message.isObject()) {
      refuse(response, 400, id, INVALID_REQUEST, "batches are not supported");
      return;
    }
    if (version != null && isTooOld(version)) {
      refuse(response, 400, id, INVALID_REQUEST, "unsupported protocol version " + version);
      return;
    }
    String mismatch = mismatch(request, message);
    if (mismatch != null) {
      refuse(response, 400, id, HEADER_MISMATCH, mismatch);
      return;
    }
    boolean initialize = message.path("method").asText().equals("initialize");
    Session session = initialize ? open(message) : session(request);
    String protocol =
        initialize && session != null ? session.protocol() : protocol(message, session, version);
    boolean needsSession = !engine.options().flag("stateless") && !Protocol.isStateless(protocol);
    if (session == null && needsSession) {
      refuseSession(request, response, message, id);
    } else if (JsonRpc.isRequest(message)) {
      Exchange exchange = exchange(request, response, session, protocol, id);
      engine.accept(message, exchange, request.headers()).run();
    } else {
      engine.notice(message, session);
      response.send(202, new HttpHeaders(), new byte[0]);
    }
  }

  private Session open(JsonNode message) {
    String asked = message.path("params").path("protocolVersion").asText();
    String id = engine.options().flag("stateless") ? null : UUID.randomUUID().toString();
    Session session =
        new Session(id, Protocol.negotiate(asked, engine.options().text("max-version")));
    if (id != null) {
      sessions.put(id, session);
    }
    return session;
  }

  private void refuseSession(
      HttpRequest request, HttpResponse response, JsonNode message, JsonNode id) {
    boolean stale = request.header("Mcp-Session-Id") != null;
    engine
        .ledger()
        .event(
            "session_refused", object("method", message.path("method").asText(), "stale", stale));
    if (stale) {
      int status = engine.control().state().staleStatus();
      refuse(response, status, id, SESSION_UNKNOWN, "Session not found");
    } else {
      refuse(response, 400, id, INVALID_REQUEST, "Mcp-Session-Id header is required");
    }
  }

  /** Opens the standalone stream, or goes on with a broken one. */
  private void get(HttpRequest request, HttpResponse response, @Nullable Session session) {
    String lastEventId = request.header("Last-Event-ID");
    String version = request.header("MCP-Protocol-Version");
    boolean stateless = version != null && Protocol.isStateless(version);
    if (stateless || (session == null && lastEventId == null)) {
      send(response, 405, object("error", "no stream here"), new HttpHeaders());
      return;
    }
    if (lastEventId == null) {
      EventStream stream = new EventStream(response, true);
      streams.put(stream.id(), stream);
      response.whenGone(() -> stream.lost(response));
      beginEvents(response);
      if (session != null) {
        session.standalone(stream);
      }
      return;
    }
    int colon = lastEventId.indexOf(':');
    EventStream stream = streams.get(colon < 0 ? lastEventId : lastEventId.substring(0, colon));
    boolean known = stream != null && stream.resumable();
    engine.ledger().event("resume", object("lastEventId", lastEventId, "known", known));
    if (stream == null || !known) {
      send(response, 404, object("error", "unknown event id"), new HttpHeaders());
      return;
    }
    response.whenGone(() -> stream.lost(response));
    beginEvents(response);
    stream.resume(response, index(lastEventId, colon));
  }

  private static int index(String eventId, int colon) {
    String digits = colon < 0 ? "" : eventId.substring(colon + 1);
    return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : -1;
  }

  private static void beginEvents(HttpResponse response) {
    response.beginStream(
        HttpHeaders.of("Content-Type", "text/event-stream", "Cache-Control", "no-cache"));
  }

  private Exchange exchange(
      HttpRequest request,
      HttpResponse response,
      @Nullable Session session,
      String protocol,
      JsonNode id) {
    return new HttpExchange(
        request, response, session, protocol, id, stream -> streams.put(stream.id(), stream));
  }

  private void broadcast(JsonNode message) {
    for (Session session : sessions.values()) {
      EventStream standalone = session.standalone();
      if (standalone != null) {
        standalone.emit(JsonRpc.text(message));
      }
    }
  }

  private @Nullable Session session(HttpRequest request) {
    String id = request.header("Mcp-Session-Id");
    return id == null ? null : sessions.get(id);
  }

  private static boolean isTooOld(String version) {
    return version.compareTo(Protocol.LATEST_WITH_SESSIONS) < 0
        && !Protocol.WITH_SESSIONS.contains(version);
  }

  /** What the headers of 2026-07-28 say differently from the body; null if nothing. */
  private static @Nullable String mismatch(HttpRequest request, JsonNode message) {
    String method = request.header("Mcp-Method");
    if (method != null && !method.equals(message.path("method").asText())) {
      return "Mcp-Method says " + method + ", the body " + message.path("method").asText();
    }
    String name = request.header("Mcp-Name");
    String named = message.path("params").path("name").asText(name);
    return name == null || name.equals(named)
        ? null
        : "Mcp-Name says " + name + ", the body " + named;
  }

  static String protocol(JsonNode message, @Nullable Session session, @Nullable String header) {
    JsonNode said =
        message.path("params").path("_meta").path("io.modelcontextprotocol/protocolVersion");
    if (said.isTextual()) {
      return said.asText();
    }
    if (header != null) {
      return header;
    }
    return session == null ? Protocol.WHEN_UNSAID : session.protocol();
  }

  private static void refuse(
      HttpResponse response, int status, JsonNode id, int code, String message) {
    send(response, status, JsonRpc.error(id, code, message, null), new HttpHeaders());
  }

  static void send(HttpResponse response, int status, JsonNode body, HttpHeaders headers) {
    response.send(
        status,
        HttpHeaders.of("Content-Type", "application/json").setAll(headers),
        JsonRpc.bytes(body));
  }
}
