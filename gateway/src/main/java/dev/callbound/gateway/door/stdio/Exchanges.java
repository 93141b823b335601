package dev.callbound.gateway.door.stdio;

import dev.callbound.gateway.bridge.Client;
import dev.callbound.gateway.bridge.Conversation;
import dev.callbound.gateway.door.InFlight;
import dev.callbound.gateway.mcp.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The requests in flight, by their ids. Thread-safe. */
final class Exchanges {
  /** A request in flight, and whether its client still wants to hear of it. */
  static final class Exchange {
    private final Client client;
    private final Conversation conversation;
    private volatile boolean cancelled;

    private Exchange(Client client, Conversation conversation) {
      this.client = client;
      this.conversation = conversation;
    }

    Client client() {
      return client;
    }

    Conversation conversation() {
      return conversation;
    }

    /** The client took its request back: nothing more is said to it (MCP 2026-07-28, stdio). */
    void cancel() {
      cancelled = true;
    }

    boolean isCancelled() {
      return cancelled;
    }
  }

  private final Map<Json, Exchange> open = new ConcurrentHashMap<>();
  private final InFlight inFlight = new InFlight();

  /** Adds a request; its id is none of those in flight. */
  Exchange add(Json id, Client client, Conversation conversation) {
    Exchange exchange = new Exchange(client, conversation);
    if (open.putIfAbsent(id, exchange) != null) {
      throw new IllegalStateException("a request of this id is in flight: " + id);
    }
    inFlight.enter();
    return exchange;
  }

  @Nullable Exchange find(Json id) {
    return open.get(id);
  }

  /** The request has its answer, and its id may be used again. */
  void free(Json id) {
    open.remove(id);
  }

  /** The answer of a request has been said, or never will be. */
  void over() {
    inFlight.leave();
  }

  int count() {
    return inFlight.count();
  }

  List<Exchange> all() {
    return List.copyOf(open.values());
  }

  /** Waits until none is in flight, or the patience ends. */
  void awaitNone(Duration patience) throws InterruptedException {
    inFlight.awaitNone(patience);
  }
}
