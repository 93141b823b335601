package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a write: made on a thread of its own, which the call's thread waits for and
 * interrupts. What becomes of the call then does not depend on when the wire lets go.
 */
final class WriteAttempt {
  private static final System.Logger LOG = System.getLogger(WriteAttempt.class.getName());

  /** How long an interrupted attempt has to let go before the next thing is done without it. */
  private static final Duration LETTING_GO = Duration.ofMillis(200);

  private final Patience patience;
  private final boolean listensOn;
  private @Nullable Pending pending;

  /**
   * An attempt about to be made.
   *
   * @param listensOn whether it is left alone when its time is over, so that its answer can still
   *     be heard
   */
  WriteAttempt(Patience patience, boolean listensOn) {
    this.patience = patience;
    this.listensOn = listensOn;
  }

  /** An attempt whose time is over, and which may still be answered. */
  final class Pending {
    private final Thread worker;
    private final CompletableFuture<Reply<Json>> reply;

    private Pending(Thread worker, CompletableFuture<Reply<Json>> reply) {
      this.worker = worker;
      this.reply = reply;
    }

    /** The answer, if it comes. */
    CompletableFuture<Reply<Json>> reply() {
      return reply;
    }

    /** How long ago the attempt began. */
    Duration age() {
      return Duration.ofNanos(System.nanoTime() - patience.begun());
    }

    /** Nobody listens any more: the attempt is withdrawn, if it is still going on. */
    void end() {
      if (!reply.isDone()) {
        letGo(worker);
      }
    }
  }

  /** The attempt, where it was left alone; null where it is over. */
  @Nullable Pending pending() {
    return pending;
  }

  /**
   * Makes the attempt.
   *
   * @return null when the call was cancelled meanwhile; the interrupt flag is set then
   */
  @Nullable Reply<Json> make(Supplier<Reply<Json>> wire) {
    CompletableFuture<Reply<Json>> reply = new CompletableFuture<>();
    Thread worker = Thread.ofVirtual().name("attempt").start(() -> reply.complete(wire.get()));
    Failure.TimedOut.Timer rang;
    try {
      rang = await(reply);
      if (rang == null) {
        return reply.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      rang = null;
    }
    if (rang != null && listensOn) {
      // Before it is looked at: what turns out not to have been taken is not sent again from here.
      patience.live().over();
      if (patience.live().wasSent()) {
        pending = new Pending(worker, reply);
        return patience.timedOut(rang);
      }
    }
    letGo(worker);
    Reply<Json> last = reply.getNow(null);
    if (last != null && Attempts.isAnswer(last)) {
      return last;
    }
    return rang == null ? null : patience.timedOut(rang);
  }

  /** Waits until there is a reply; returns the timer that rang before there was one. */
  private Failure.TimedOut.@Nullable Timer await(CompletableFuture<Reply<Json>> reply)
      throws InterruptedException {
    while (true) {
      long left = patience.leftNanos();
      if (left <= 0) {
        return reply.isDone() ? null : patience.timer();
      }
      try {
        reply.get(left, TimeUnit.NANOSECONDS);
        return null;
      } catch (TimeoutException _) {
        LOG.log(System.Logger.Level.TRACE, "attempt=timer_fired");
      } catch (ExecutionException e) {
        throw new IllegalStateException("an attempt ends with a reply", e);
      }
    }
  }

  /** Ends what is still going on, and gives it a moment, so that its evidence is whole. */
  private void letGo(Thread worker) {
    // First: the interrupt may come while it is about to send once more what was not taken.
    patience.live().over();
    worker.interrupt();
    // Waiting needs the flag down for a moment; it is up again before anything else runs.
    boolean interrupted = Thread.interrupted();
    boolean ended = false;
    try {
      ended = worker.join(LETTING_GO);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      // Nobody knows what it still does.
      patience.live().sent();
      LOG.log(
          System.Logger.Level.WARNING, "attempt=slow_to_end after_ms={0}", LETTING_GO.toMillis());
    }
  }
}
