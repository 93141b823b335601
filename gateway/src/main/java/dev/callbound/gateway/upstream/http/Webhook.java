package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Unattended;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
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

  private static final int MOST_WAITING = 100;
  private static final int TRIES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final Sender sender;
  private final BlockingQueue<JsonObject> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Thread posting;

  /** Begins to post to this endpoint. */
  public Webhook(ServerConfig.Http endpoint) {
    this.sender = new Sender(endpoint, 1);
    this.posting = Thread.ofVirtual().name("webhook").start(this::work);
  }

  /** Posts an object, some time. Never blocks. */
  public void post(JsonObject object) {
    if (!waiting.offer(object)) {
      LOG.log(System.Logger.Level.WARNING, "alert=dropped {0} wait already", MOST_WAITING);
    }
  }

  private void work() {
    try {
      while (true) {
        deliver(waiting.take());
      }
    } catch (InterruptedException e) {
      // Closed: what is left is not posted.
    }
  }

  private void deliver(JsonObject object) throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    for (int number = 1; ; number++) {
      String complaint = complaint(object);
      if (complaint == null) {
        return;
      }
      if (number == TRIES) {
        LOG.log(System.Logger.Level.WARNING, "alert=not_delivered tries={0} {1}", TRIES, complaint);
        return;
      }
      Thread.sleep(pause);
      pause = pause.multipliedBy(4);
    }
  }

  /** Why a try did not get through; null when it did. */
  private @Nullable String complaint(JsonObject object) throws InterruptedException {
    TimeLimit limit = TimeLimit.of(PATIENCE);
    try (limit;
        Answer answer =
            sender.send(
                new Sender.Outgoing("POST", Map.of(), object.toJson()::toBytes),
                new Evidence(new Unattended(Revision.NEWEST)))) {
      int status = answer.status();
      return status >= 200 && status < 300 ? null : "it is answered with status " + status;
    } catch (IOException e) {
      if (!limit.passed() && Thread.interrupted()) {
        throw new InterruptedException("closed");
      }
      return limit.passed()
          ? "no answer within " + PATIENCE.toSeconds() + " s"
          : WireFailures.text(e);
    }
  }

  /** Posts no more, at once. */
  @Override
  public void close() {
    posting.interrupt();
    sender.close();
  }
}
