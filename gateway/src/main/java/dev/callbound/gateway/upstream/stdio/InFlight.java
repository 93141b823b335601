package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.ServerQuestions;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The requests that wait for an answer, by our ids, which count up. Thread-safe. */
final class InFlight {
  private final ConcurrentSkipListMap<Long, PendingRequest> requests =
      new ConcurrentSkipListMap<>();

  void add(PendingRequest request) {
    requests.put(request.id(), request);
  }

  /** Forgets a request; an answer that comes for it is late from now on. */
  void remove(PendingRequest request) {
    requests.remove(request.id());
  }

  /** The request of an id; null for an id that nobody waits for. */
  @Nullable PendingRequest find(@Nullable Json id) {
    if (id == null) {
      return null;
    }
    // Some servers give a number back as a string.
    return id.isText() ? find(id.asText().orElse("")) : find(id.toString());
  }

  /** The request of an id as text; null for an id that nobody waits for. */
  @Nullable PendingRequest find(String id) {
    try {
      return requests.get(Long.parseLong(id));
    } catch (NumberFormatException _) {
      return null;
    }
  }

  /** All of them, the oldest first. */
  List<PendingRequest> all() {
    return List.copyOf(requests.values());
  }

  int size() {
    return requests.size();
  }

  /** The only one; null when there are none or several. */
  @Nullable PendingRequest only() {
    List<PendingRequest> all = all();
    return all.size() == 1 ? all.getFirst() : null;
  }

  /**
   * The one that something is about which names no request: the latest, if all are made for the
   * same client; null when it can't be told.
   */
  @Nullable PendingRequest meant() {
    List<PendingRequest> all = all().stream().filter(one -> one.ending() == null).toList();
    if (all.isEmpty()) {
      return null;
    }
    Exchange.Caller first = all.getFirst().exchange().caller();
    boolean sameClient = all.stream().allMatch(one -> isSame(first, one.exchange().caller()));
    return sameClient ? all.getLast() : null;
  }

  /**
   * Sees to the questions of a request that has ended. On one stream a question does not say which
   * request it belongs to, so it may be about another one of the same client, and goes on with
   * that.
   */
  void passOn(PendingRequest ended) {
    List<ServerQuestions> open =
        ended.allQuestions().stream().filter(ServerQuestions::waits).toList();
    for (PendingRequest other : all().reversed()) {
      if (!open.isEmpty()
          && other != ended
          && isSame(other.exchange().caller(), ended.exchange().caller())
          && other.inherit(open)) {
        return;
      }
    }
    ended.allQuestions().forEach(ServerQuestions::close);
  }

  /**
   * Whether two callers are the same client, and not only two of a kind: what one person's agent is
   * asked must never be put to another's. A client introduces itself once, so it is told by the
   * object that it introduced itself with.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Exchange.Caller one, Exchange.Caller other) {
    return one == other || (one.info() == other.info() && !one.info().isEmpty());
  }
}
