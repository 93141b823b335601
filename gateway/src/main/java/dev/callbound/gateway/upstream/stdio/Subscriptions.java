package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.upstream.stdio.Connections.Ready;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a server is asked to tell by itself. Up to 2025-11-25 it tells of changed lists unasked, and
 * of each resource that was subscribed to; since 2026-07-28 it tells what one long request names. A
 * new process knows nothing of it and is asked again. Thread-safe.
 */
final class Subscriptions {
  /** How many resources may be subscribed to. */
  static final int MAX_RESOURCES = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeSet<String> resources = new TreeSet<>();
  private boolean wanted;

  /** The long request that is open, and the process that it was made to. */
  private record Listening(StdioConnection connection, Json id) {}

  private @Nullable Listening listening;

  /** Somebody listens. Without, no server is asked to tell what changes in its lists. */
  void wanted() {
    lock.lock();
    try {
      wanted = true;
    } finally {
      lock.unlock();
    }
  }

  /** A new process is there. */
  void opened(Ready ready) {
    lock.lock();
    try {
      if (!ready.introduction().revision().hasSessions()) {
        listen(ready);
        return;
      }
      for (String uri : resources) {
        ready
            .connection()
            .ask(
                "resources/subscribe",
                JsonObject.of("uri", Json.text(uri)),
                ready.introduction().revision());
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Remembers or forgets a resource, and tells the server where that is part of the long request.
   *
   * @return false when there are too many
   */
  boolean change(Ready ready, String uri, boolean subscribe) {
    lock.lock();
    try {
      if (subscribe && resources.size() >= MAX_RESOURCES && !resources.contains(uri)) {
        return false;
      }
      boolean changed = subscribe ? resources.add(uri) : resources.remove(uri);
      if (changed && !ready.introduction().revision().hasSessions()) {
        listen(ready);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Opens the long request, and only then ends the one before: nothing is missed between. */
  private void listen(Ready ready) {
    JsonObject filter = filter(ready.introduction().capabilities());
    Listening before = listening;
    listening =
        filter.isEmpty()
            ? null
            : new Listening(
                ready.connection(),
                ready
                    .connection()
                    .ask(
                        "subscriptions/listen",
                        JsonObject.of("notifications", filter.toJson()),
                        ready.introduction().revision()));
    if (before != null && before.connection() == ready.connection()) {
      ready.connection().cancel(before.id(), "another subscription has taken its place");
    }
  }

  private JsonObject filter(JsonObject capabilities) {
    JsonObject filter = JsonObject.EMPTY;
    for (String kind : wanted ? List.of("tools", "prompts", "resources") : List.<String>of()) {
      Json changes = capabilities.object(kind).get("listChanged");
      if (changes != null && changes.isTrue()) {
        filter = filter.with(kind + "ListChanged", Json.TRUE);
      }
    }
    List<Json> uris = resources.stream().map(Json::text).toList();
    return uris.isEmpty() ? filter : filter.with("resourceSubscriptions", Json.array(uris));
  }
}
