package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what servers say outside any request, to the clients that want to hear it: sessions,
 * and the {@code subscriptions/listen} streams of clients without sessions (MCP 2026-07-28).
 * Thread-safe.
 */
final class Hub {
  private static final String UPDATED = "notifications/resources/updated";

  /** What a stream asks to hear, by the notification's method. */
  private static final Map<String, String> FILTERS =
      Map.of(
          "notifications/tools/list_changed", "toolsListChanged",
          "notifications/prompts/list_changed", "promptsListChanged",
          "notifications/resources/list_changed", "resourcesListChanged");

  private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
  private final Map<Session, Set<String>> subscribed = new ConcurrentHashMap<>();
  private final Map<Session, Set<String>> tasks = new ConcurrentHashMap<>();

  /** One {@code subscriptions/listen} request. */
  private record Stream(
      Talk talk,
      @Nullable String endpoint,
      Set<String> methods,
      Set<String> uris,
      Set<String> tasks) {
    void tell(Message.Notification notification) {
      talk.say(new Message.Notification(notification.method(), identified(notification.params())));
    }

    JsonObject identified(JsonObject params) {
      return params.with("_meta", params.object("_meta").with(SUBSCRIPTION, talk.request().id()));
    }
  }

  void join(Session session) {
    sessions.add(session);
    session.whenClosed(
        () -> {
          sessions.remove(session);
          subscribed.remove(session);
          tasks.remove(session);
        });
  }

  /** A session has been given a task, and hears how it stands until that is over. */
  void follow(Session session, String task) {
    if (sessions.contains(session)) {
      tasks.computeIfAbsent(session, _ -> ConcurrentHashMap.newKeySet()).add(task);
    }
  }

  /** Whether anybody hears how a task stands. */
  boolean isFollowed(String task) {
    return streams.stream().anyMatch(stream -> stream.tasks().contains(task))
        || tasks.values().stream().anyMatch(followed -> followed.contains(task));
  }

  /** Tells the streams that ask about a task how it stands (MCP 2026-07-28, the extension). */
  void tellStreams(TaskJson.State state) {
    Message.Notification told =
        new Message.Notification("notifications/tasks", TaskJson.detailed(state));
    streams.stream()
        .filter(stream -> stream.tasks().contains(state.task().call()))
        .forEach(stream -> stream.tell(told));
  }

  /** Tells the sessions that were given a task how it stands (MCP 2025-11-25). */
  void tellSessions(TaskJson.State state) {
    String task = state.task().call();
    Message.Notification told =
        new Message.Notification("notifications/tasks/status", TaskJson.older(state));
    tasks.forEach(
        (session, followed) -> {
          boolean hears = followed.contains(task);
          if (state.status().isLast()) {
            followed.remove(task);
          }
          if (hears) {
            session.tell(told);
          }
        });
  }

  /** A session wants to hear of a resource. */
  void subscribe(Session session, String uri) {
    subscribed.computeIfAbsent(session, _ -> ConcurrentHashMap.newKeySet()).add(uri);
  }

  /** A session no longer wants to hear of a resource. */
  void unsubscribe(Session session, String uri) {
    subscribed.getOrDefault(session, ConcurrentHashMap.newKeySet()).remove(uri);
  }

  /** Whether anybody still wants to hear of a resource. */
  boolean wanted(String uri) {
    return subscribed.values().stream().anyMatch(uris -> uris.contains(uri))
        || streams.stream().anyMatch(stream -> stream.uris().contains(uri));
  }

  /**
   * Opens a stream, which ends when its client leaves or the gateway stops.
   *
   * @param followed the tasks that it hears of
   * @return the resources that it asks about
   */
  Set<String> open(Talk talk, Session session, List<String> followed) {
    JsonObject asked = talk.request().params().object("notifications");
    Set<String> methods = new HashSet<>();
    FILTERS.forEach(
        (method, filter) -> {
          Json wanted = asked.get(filter);
          if (wanted != null && wanted.isTrue()) {
            methods.add(method);
          }
        });
    Set<String> uris = new HashSet<>();
    Json resources = asked.get("resourceSubscriptions");
    if (resources != null) {
      resources.elements().forEach(uri -> uri.asText().ifPresent(uris::add));
    }
    Stream stream =
        new Stream(talk, session.greeting().server(), methods, uris, Set.copyOf(followed));
    JsonObject agreed =
        asked.get("taskIds") == null
            ? asked
            : asked.with("taskIds", Json.array(followed.stream().map(Json::text).toList()));
    talk.say(
        new Message.Notification(
            "notifications/subscriptions/acknowledged",
            stream.identified(JsonObject.of("notifications", agreed.toJson()))));
    streams.add(stream);
    return uris;
  }

  /** The client of a stream has left. */
  void close(Talk talk) {
    streams.removeIf(stream -> stream.talk() == talk);
  }

  /** The gateway stops: every stream is told so, and ends. */
  void closeAll() {
    for (Stream stream : List.copyOf(streams)) {
      streams.remove(stream);
      stream
          .talk()
          .answer(stream.identified(JsonObject.of("resultType", Json.text("complete"))).toJson());
    }
  }

  /** A server said this. */
  void heard(String server, Message.Notification notification) {
    String method = notification.method();
    String uri = method.equals(UPDATED) ? notification.params().text("uri") : null;
    for (Session session : sessions) {
      boolean wants = uri == null || subscribed.getOrDefault(session, Set.of()).contains(uri);
      if (wants && reaches(session.greeting().server(), server)) {
        session.tell(notification);
      }
    }
    for (Stream stream : streams) {
      boolean wants = uri == null ? stream.methods().contains(method) : stream.uris().contains(uri);
      if (wants && reaches(stream.endpoint(), server)) {
        stream.tell(notification);
      }
    }
  }

  private static boolean reaches(@Nullable String endpoint, String server) {
    return endpoint == null || endpoint.equals(server);
  }
}
