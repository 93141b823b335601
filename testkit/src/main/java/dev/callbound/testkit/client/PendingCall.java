package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A request that is on its way. Thread-safe. */
public final class PendingCall {
  private final CompletableFuture<JsonNode> response = new CompletableFuture<>();
  private final Duration timeout;
  private volatile JsonNode id;
  private volatile Runnable hangUp = () -> {};
  private final AtomicInteger comments = new AtomicInteger();
  private volatile @Nullable String lastEventId;
  private volatile boolean hungUp;
  private final Canceller canceller;

  /** Tells the server that the answer is no longer wanted, as the revision says. */
  interface Canceller {
    void cancel(PendingCall call, String reason);
  }

  PendingCall(JsonNode id, Duration timeout, Canceller canceller) {
    this.id = id;
    this.timeout = timeout;
    this.canceller = canceller;
  }

  /** The id it was sent under; the latest one if the server asked for input in between. */
  public JsonNode id() {
    return id;
  }

  /** Completes with the whole JSON-RPC response, or with a {@link WireException}. */
  public CompletableFuture<JsonNode> response() {
    return response.copy();
  }

  /**
   * Waits for the whole JSON-RPC response.
   *
   * @throws WireException if there was none
   */
  public JsonNode await() throws InterruptedException {
    try {
      return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new WireException(WireException.Kind.TIMED_OUT, "no answer within " + timeout, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof WireException wire) {
        throw new WireException(
            wire.kind(), String.valueOf(wire.getMessage()), wire.response().orElse(null), wire);
      }
      throw new IllegalStateException("the client failed", e);
    }
  }

  /**
   * Tells the server to stop, as the revision says: {@code notifications/cancelled}, or over HTTP
   * since 2026-07-28 the end of the response stream.
   */
  public void cancel(String reason) {
    canceller.cancel(this, reason);
  }

  /** Goes away without a word: over HTTP cuts the connection, on stdio forgets the call. */
  public void hangUp() {
    hungUp = true;
    hangUp.run();
  }

  /** How many comment lines the answer's event stream has held so far. */
  public int comments() {
    return comments.get();
  }

  /** The id of the last event received, to resume the stream with; null if none had one. */
  public @Nullable String lastEventId() {
    return lastEventId;
  }

  boolean hungUp() {
    return hungUp;
  }

  Duration timeout() {
    return timeout;
  }

  void goesAs(JsonNode newId) {
    id = newId;
  }

  void onHangUp(Runnable action) {
    hangUp = action;
    if (hungUp) {
      action.run();
    }
  }

  void heardComment() {
    comments.incrementAndGet();
  }

  void received(@Nullable String eventId) {
    if (eventId != null) {
      lastEventId = eventId;
    }
  }

  void complete(JsonNode answer) {
    response.complete(answer);
  }

  void fail(Throwable cause) {
    response.completeExceptionally(cause);
  }
}
