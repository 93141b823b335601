package dev.callbound.gateway.door.http;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.bridge.Client;
import dev.callbound.gateway.bridge.Conversation;
import dev.callbound.gateway.door.DoorErrors;
import dev.callbound.gateway.door.Handshake;
import dev.callbound.gateway.door.RequestMeta;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The endpoint that MCP clients speak to: {@code /mcp} and {@code /mcp/SERVER}. */
final class McpEndpoint implements Handler {
  private static final String LISTEN = "subscriptions/listen";

  private final Gate gate;
  private final Bridge bridge;
  private final Sessions sessions;
  private final OpenCalls calls;

  McpEndpoint(Gate gate, Bridge bridge, Sessions sessions, OpenCalls calls) {
    this.gate = gate;
    this.bridge = bridge;
    this.sessions = sessions;
    this.calls = calls;
  }

  /** What the handlers of a request need to know of it. */
  private record Visit(
      Headers headers, String principal, @Nullable String server, ServerResponse response) {
    @Nullable String sessionId() {
      return headers.first(HeaderField.SESSION).orElse(null);
    }

    Bridge.Context context() {
      return new Bridge.Context(
          headers.first(HeaderField.RUN).orElse(null),
          headers.first(HeaderField.STEP).orElse(null),
          MirroredHeaders.parameters(headers));
    }
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    try {
      String principal = gate.admit(request.headers());
      Visit visit = new Visit(request.headers(), principal, server(request), response);
      Method method = request.prologue().method();
      if (method.equals(Method.POST)) {
        post(visit, request);
      } else if (method.equals(Method.GET)) {
        listen(visit);
      } else if (method.equals(Method.DELETE)) {
        end(visit);
      } else {
        throw notAllowed("POST, GET, DELETE");
      }
    } catch (RefusedException e) {
      Replies.refuse(response, e);
    }
  }

  private static @Nullable String server(ServerRequest request) {
    String server = request.path().pathParameters().first("server").orElse("");
    return server.isEmpty() ? null : server;
  }

  private void post(Visit visit, ServerRequest request) throws RefusedException {
    MediaRules.checkSent(visit.headers());
    MediaRules.checkAccepted(visit.headers(), MediaRules.JSON, MediaRules.EVENTS);
    PostedMessage posted = PostedMessage.read(request);
    if (posted.standsForItself()) {
      alone(visit, posted.message());
    } else if (posted.message() instanceof Message.Request initialize
        && initialize.method().equals(Handshake.METHOD)) {
      begin(visit, initialize);
    } else {
      inSession(visit, posted.message());
    }
  }

  /** A message of a revision without sessions. */
  private void alone(Visit visit, Message message) throws RefusedException {
    switch (message) {
      case Message.Request request -> {
        RequestMeta meta = meta(visit, request);
        MirroredHeaders.checkMethodAndName(visit.headers(), request);
        try (Client client = greet(meta.greeting(visit.principal(), visit.server()), request)) {
          answer(visit, request, client, null);
        }
      }
      // Nothing that a notification could be about outlives its request: cancelling is closing.
      case Message.Notification _ -> accepted(visit);
      case Message.Response _ ->
          throw RefusedException.of(
              Status.BAD_REQUEST_400, "responses are not sent in this protocol version");
    }
  }

  private static RequestMeta meta(Visit visit, Message.Request request) throws RefusedException {
    try {
      String version = RequestMeta.version(request.params());
      if (version != null) {
        MirroredHeaders.checkVersion(visit.headers(), request, version);
      }
      return RequestMeta.of(request);
    } catch (RequestMeta.InvalidMetaException e) {
      throw RefusedException.of(Status.BAD_REQUEST_400, e.error(), request.id());
    }
  }

  private void begin(Visit visit, Message.Request initialize) throws RefusedException {
    if (!sessions.makeRoom()) {
      throw busy(initialize, "as many sessions as are allowed are in use");
    }
    String id = sessions.newId();
    Client client =
        greet(Handshake.greeting(initialize, visit.principal(), visit.server(), id), initialize);
    Session session = sessions.open(id, visit.principal(), visit.server(), client);
    boolean begun = false;
    try {
      begun = answer(visit, initialize, client, id) instanceof Message.Result;
    } finally {
      sessions.unuse(session);
      if (!begun) {
        sessions.close(session);
      }
    }
  }

  private void inSession(Visit visit, Message message) throws RefusedException {
    Session session = sessions.use(visit.sessionId(), visit.principal(), visit.server());
    try {
      checkSessionVersion(visit);
      Client client = session.client();
      switch (message) {
        case Message.Request request -> answer(visit, request, client, null);
        case Message.Notification notification -> {
          bridge.receive(notification, client);
          accepted(visit);
        }
        case Message.Response response -> {
          bridge.receive(response, client);
          accepted(visit);
        }
      }
    } finally {
      sessions.unuse(session);
    }
  }

  private Client greet(Bridge.Greeting greeting, Message.Request request) throws RefusedException {
    try {
      return bridge.greet(greeting);
    } catch (Bridge.UnknownServerException e) {
      throw RefusedException.of(
          Status.NOT_FOUND_404,
          RpcError.of(RpcError.INVALID_REQUEST, String.valueOf(e.getMessage())),
          request.id());
    }
  }

  /**
   * Answers a request.
   *
   * @param begun the id of the session that it begins; null when it begins none
   */
  private Message.Response answer(
      Visit visit, Message.Request request, Client client, @Nullable String begun)
      throws RefusedException {
    if (request.method().equals(LISTEN)) {
      // A stream that is there to be waited on is no call: it must not hold up the end.
      return write(visit, request, client, Answer.SLOW_BEAT, begun);
    }
    switch (calls.enter()) {
      case IN -> {}
      case FULL -> throw busy(request, "as many calls as are allowed are in flight");
      case CLOSING -> throw busy(request, "the gateway is stopping");
    }
    try {
      return write(visit, request, client, Answer.BEAT, begun);
    } finally {
      calls.leave();
    }
  }

  private Message.Response write(
      Visit visit, Message.Request request, Client client, Duration beat, @Nullable String begun) {
    Conversation conversation = bridge.receive(request, client, visit.context());
    return new Answer(conversation, client.revision(), visit.response(), beat)
        .beginning(begun)
        .write();
  }

  private void listen(Visit visit) throws RefusedException {
    checkOfSessions(visit);
    MediaRules.checkAccepted(visit.headers(), MediaRules.EVENTS);
    Session session = sessions.use(visit.sessionId(), visit.principal(), visit.server());
    try {
      checkSessionVersion(visit);
      new ServerEvents(session, visit.response()).write(lastEvent(visit));
    } finally {
      sessions.unuse(session);
    }
  }

  private static long lastEvent(Visit visit) throws RefusedException {
    String last = visit.headers().first(HeaderField.LAST_EVENT_ID).orElse("-1");
    try {
      return Long.parseLong(last);
    } catch (NumberFormatException e) {
      throw RefusedException.of(Status.BAD_REQUEST_400, "Last-Event-ID is none of this session");
    }
  }

  private void end(Visit visit) throws RefusedException {
    checkOfSessions(visit);
    Session session = sessions.use(visit.sessionId(), visit.principal(), visit.server());
    sessions.close(session);
    visit.response().status(Status.NO_CONTENT_204).send();
  }

  private static void checkOfSessions(Visit visit) throws RefusedException {
    String version = visit.headers().first(HeaderField.PROTOCOL_VERSION).orElse("");
    if (version.equals(Revision.NEWEST.date())) {
      throw notAllowed("POST");
    }
  }

  /** Absent, the revision is the session's own. */
  private static void checkSessionVersion(Visit visit) throws RefusedException {
    String version = visit.headers().first(HeaderField.PROTOCOL_VERSION).orElse(null);
    if (version != null && Revision.of(version).filter(Revision::hasSessions).isEmpty()) {
      throw RefusedException.of(
          Status.BAD_REQUEST_400, RequestMeta.unsupported(version), Json.NULL);
    }
  }

  private static void accepted(Visit visit) {
    visit.response().status(Status.ACCEPTED_202).send();
  }

  private static RefusedException notAllowed(String allowed) {
    return RefusedException.of(
            Status.METHOD_NOT_ALLOWED_405, "this method is not allowed here; use " + allowed)
        .with(HeaderNames.ALLOW, allowed);
  }

  private static RefusedException busy(Message.Request request, String why) {
    return RefusedException.of(Status.SERVICE_UNAVAILABLE_503, DoorErrors.busy(why), request.id())
        .with(HeaderNames.RETRY_AFTER, "1");
  }
}
