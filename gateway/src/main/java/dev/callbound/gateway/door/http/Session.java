package dev.callbound.gateway.door.http;

import dev.callbound.gateway.bridge.Client;
import dev.callbound.gateway.mcp.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One client's session, in the revisions that have them: whose it is, whether it is in use, and the
 * last events that were told to it outside any request. Thread-safe.
 */
final class Session {
  /** How many events are kept for a client that comes back for them. */
  static final int KEPT_EVENTS = 100;

  /** One event of the session's own stream. */
  record Event(long id, Message message) {}

  private final String id;
  private final String principal;
  private final @Nullable String server;
  private final Client client;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Event> kept = new ArrayDeque<>();
  private long lastEvent;
  private int uses;
  private long lastUsedNanos;
  private boolean closed;
  private @Nullable Thread listener;

  Session(String id, String principal, @Nullable String server, Client client, long nowNanos) {
    this.id = id;
    this.principal = principal;
    this.server = server;
    this.client = client;
    this.lastUsedNanos = nowNanos;
  }

  String id() {
    return id;
  }

  String principal() {
    return principal;
  }

  /** The server whose endpoint it was begun at; null for all. */
  @Nullable String server() {
    return server;
  }

  Client client() {
    return client;
  }

  /** A request or a stream begins; false when the session is over. */
  boolean use() {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      uses++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** A request or a stream ended. */
  void unuse(long nowNanos) {
    lock.lock();
    try {
      uses--;
      lastUsedNanos = nowNanos;
    } finally {
      lock.unlock();
    }
  }

  /** How long nothing has been open; negative while something is. */
  long idleNanos(long nowNanos) {
    lock.lock();
    try {
      return uses > 0 ? -1 : nowNanos - lastUsedNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Makes the calling thread the only one that listens: one that did is interrupted. */
  void listen() {
    lock.lock();
    try {
      if (listener != null) {
        listener.interrupt();
      }
      listener = Thread.currentThread();
      if (closed) {
        listener.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The calling thread listens no more; it is not interrupted after this. */
  void unlisten() {
    lock.lock();
    try {
      if (Thread.currentThread().equals(listener)) {
        listener = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives a message its place among the session's events. */
  Event event(Message message) {
    lock.lock();
    try {
      Event event = new Event(++lastEvent, message);
      kept.addLast(event);
      if (kept.size() > KEPT_EVENTS) {
        kept.removeFirst();
      }
      return event;
    } finally {
      lock.unlock();
    }
  }

  /** The events after one that the client has, as far as they are kept. */
  List<Event> eventsAfter(long id) {
    lock.lock();
    try {
      return kept.stream().filter(event -> event.id() > id).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the session. Idempotent. */
  void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      if (listener != null) {
        listener.interrupt();
      }
    } finally {
      lock.unlock();
    }
    client.close();
  }
}
