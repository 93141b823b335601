package dev.callbound.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A stream of server-sent events that may outlive its connection: what is sent while nobody is
 * connected is kept, and goes to the client that comes back for it. Thread-safe; the lock is held
 * while an event is written, so that none is lost or doubled between two connections.
 */
final class EventStream {
  private final String id = UUID.randomUUID().toString().substring(0, 8);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition attached = lock.newCondition();
  private final List<String> events = new ArrayList<>();
  private @Nullable HttpResponse response;
  private boolean resumable;
  private boolean ended;

  EventStream(HttpResponse response, boolean resumable) {
    this.response = response;
    this.resumable = resumable;
  }

  String id() {
    return id;
  }

  boolean resumable() {
    lock.lock();
    try {
      return resumable;
    } finally {
      lock.unlock();
    }
  }

  /** Sends an event, or keeps it for the client that comes back. */
  void emit(String data) {
    locked(
        () -> {
          events.add(data);
          write(text(events.size() - 1));
        });
  }

  /** Sends what is no event of this stream, if somebody is connected. */
  void raw(String text) {
    locked(() -> write(text));
  }

  void end() {
    locked(
        () -> {
          ended = true;
          if (response != null) {
            response.end();
          }
        });
  }

  /** Cuts the connection; the stream goes on without one. */
  void drop(boolean stillResumable) {
    locked(
        () -> {
          resumable = resumable && stillResumable;
          if (response != null) {
            response.close();
            response = null;
          }
        });
  }

  /** The connection has gone by itself. */
  void lost(HttpResponse gone) {
    locked(
        () -> {
          if (response == gone) {
            response = null;
          }
        });
  }

  /** Goes on over another connection, after the event of this index. */
  void resume(HttpResponse next, int after) {
    locked(
        () -> {
          response = next;
          for (int index = Math.max(0, after + 1); index < events.size(); index++) {
            write(text(index));
          }
          if (ended) {
            next.end();
          }
          attached.signalAll();
        });
  }

  /** Waits until somebody is connected, at most this long. */
  void awaitConnected(Duration timeout) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = timeout.toNanos();
      while (response == null && nanos > 0) {
        nanos = attached.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private String text(int index) {
    String data = events.get(index);
    String eventId = resumable ? "id: " + id + ":" + index + "\n" : "";
    // An event without data primes the client with an id to come back with (MCP 2025-11-25).
    String retry = data.isEmpty() ? "retry: 100\n" : "";
    return eventId + retry + "data: " + data + "\n\n";
  }

  private void write(String text) {
    if (response != null) {
      response.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
