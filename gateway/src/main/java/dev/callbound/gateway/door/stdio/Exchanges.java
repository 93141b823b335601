package dev.callbound.gateway.door.stdio;

import dev.callbound.gateway.bridge.Client;
import dev.callbound.gateway.bridge.Conversation;
import dev.callbound.gateway.mcp.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private final Map<Json, Exchange> open = new HashMap<>();

  Exchange add(Json id, Client client, Conversation conversation) {
    lock.lock();
    try {
      Exchange exchange = new Exchange(client, conversation);
      open.put(id, exchange);
      return exchange;
    } finally {
      lock.unlock();
    }
  }

  @Nullable Exchange find(Json id) {
    lock.lock();
    try {
      return open.get(id);
    } finally {
      lock.unlock();
    }
  }

  void remove(Json id) {
    lock.lock();
    try {
      open.remove(id);
      if (open.isEmpty()) {
        none.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  int count() {
    lock.lock();
    try {
      return open.size();
    } finally {
      lock.unlock();
    }
  }

  List<Exchange> all() {
    lock.lock();
    try {
      return List.copyOf(open.values());
    } finally {
      lock.unlock();
    }
  }

  /** Waits until none is in flight, or the patience ends. */
  void awaitNone(Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long nanos = patience.toNanos();
      while (!open.isEmpty() && nanos > 0) {
        nanos = none.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
