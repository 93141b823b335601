package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Unattended;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Posts JSON objects to a URL, in order, beside everything else: each up to three times, until it
 * is answered with a 2xx. When more wait than it holds, the newest is dropped; the log tells of
 * each that did not get through. Thread-safe.
 */
public final class Webhook implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Webhook.class.getName());

  /** The members that say which alert it is. */
  private static final List<String> NAMING = List.of("kind", "run", "call");

  private static final int MOST_WAITING = 100;
  private static final int TRIES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final Sender sender;
  private final Duration patience;
  private final Duration firstPause;
  private final BlockingQueue<JsonObject> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Thread posting;
  private volatile boolean closed;

  /** Begins to post to this endpoint. */
  public Webhook(ServerConfig.Http endpoint) {
    this(endpoint, PATIENCE, FIRST_PAUSE);
  }

  /**
   * Begins to post to this endpoint.
   *
   * @param patience how long one try may take
   * @param firstPause before the second try; four times as long before the third
   */
  Webhook(ServerConfig.Http endpoint, Duration patience, Duration firstPause) {
    this.patience = patience;
    this.firstPause = firstPause;
    this.sender = new Sender(endpoint, 1);
    this.posting = Thread.ofVirtual().name("webhook").start(this::work);
  }

  /** Posts an object, some time. Never blocks. */
  public void post(JsonObject object) {
    if (!waiting.offer(object)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "alert=dropped {0} {1} wait already",
          about(object),
          MOST_WAITING);
    }
  }

  private void work() {
    try {
      while (true) {
        JsonObject object = waiting.take();
        try {
          deliver(object);
        } catch (RuntimeException e) {
          // A bug, with one of them; the next may get through.
          LOG.log(System.Logger.Level.ERROR, "alert=failed_unexpectedly " + about(object), e);
        }
      }
    } catch (InterruptedException e) {
      // Closed: what is left is not posted.
    }
  }

  private void deliver(JsonObject object) throws InterruptedException {
    Duration pause = firstPause;
    for (int number = 1; ; number++) {
      String complaint = complaint(object);
      if (complaint == null) {
        return;
      }
      if (number == TRIES) {
        LOG.log(
            System.Logger.Level.WARNING,
            "alert=not_delivered {0} tries={1} {2}",
            about(object),
            TRIES,
            complaint);
        return;
      }
      Thread.sleep(pause);
      pause = pause.multipliedBy(4);
    }
  }

  /** What an alert is about, for the log. */
  private static String about(JsonObject alert) {
    StringJoiner about = new StringJoiner(" ");
    for (String name : NAMING) {
      String value = alert.text(name);
      if (value != null) {
        about.add(name + "=" + value);
      }
    }
    return about.toString();
  }

  /** Why a try did not get through; null when it did. */
  private @Nullable String complaint(JsonObject object) throws InterruptedException {
    TimeLimit limit = TimeLimit.of(patience);
    try (limit;
        Answer answer =
            sender.send(
                new Sender.Outgoing("POST", Map.of(), object.toJson()::toBytes),
                new Evidence(new Unattended(Revision.NEWEST)))) {
      int status = answer.status();
      return status >= 200 && status < 300 ? null : "it is answered with status " + status;
    } catch (IOException e) {
      // What the client and the limit have left of the interrupt is not to be relied on.
      if (closed) {
        throw new InterruptedException("closed");
      }
      return limit.passed()
          ? "no answer within " + patience.toMillis() + " ms"
          : WireFailures.text(e);
    }
  }

  /** Posts no more, at once. */
  @Override
  public void close() {
    closed = true;
    posting.interrupt();
    sender.close();
  }

  /** Whether it has come to rest after it was closed; for tests. */
  boolean isOver() {
    return !posting.isAlive();
  }
}
