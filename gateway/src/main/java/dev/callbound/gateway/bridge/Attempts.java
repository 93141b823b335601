package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Reply;
import dev.callbound.policy.Upstream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds each attempt to its deadline: the attempt runs on a thread of its own, which is interrupted
 * when the time is up, when the server has been silent for too long, or when the call is cancelled.
 * What the wire is doing at that moment does not matter.
 *
 * <p>One for each call; the interrupt flag of the call's thread is never cleared.
 */
final class Attempts implements Upstream<Json>, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Attempts.class.getName());

  /** How long an interrupted attempt has to let go before the next thing is done without it. */
  private static final Duration LETTING_GO = Duration.ofMillis(200);

  /** One attempt on the wire, without a deadline of its own. */
  @FunctionalInterface
  interface Wire {
    Reply<Json> send(Live live);
  }

  private final Supplier<Live> exchanges;
  private final Wire wire;
  private final Cancellation cancellation;
  private final @Nullable Duration stall;
  private final boolean listensOn;
  private @Nullable Pending pending;
  private volatile @Nullable Live last;

  /**
   * The attempts of one call.
   *
   * @param exchanges makes the evidence of the next attempt
   * @param stall the longest silence allowed; null for any
   * @param listensOn whether an attempt that ran out of time is left to itself, so that its answer
   *     can still be heard
   */
  Attempts(
      Supplier<Live> exchanges,
      Wire wire,
      Cancellation cancellation,
      @Nullable Duration stall,
      boolean listensOn) {
    this.exchanges = exchanges;
    this.wire = wire;
    this.cancellation = cancellation;
    this.stall = stall;
    this.listensOn = listensOn;
  }

  /** An attempt whose time is over, and which may still be answered. */
  final class Pending {
    private final Thread worker;
    private final CompletableFuture<Reply<Json>> reply;
    private final long begun;

    private Pending(Thread worker, CompletableFuture<Reply<Json>> reply, long begun) {
      this.worker = worker;
      this.reply = reply;
      this.begun = begun;
    }

    /** The answer, if it comes. */
    CompletableFuture<Reply<Json>> reply() {
      return reply;
    }

    /** How long ago the attempt began. */
    Duration age() {
      return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** Nobody listens any more: the attempt is withdrawn, if it is still going on. */
    void end() {
      letGo(worker, reply);
    }
  }

  /** The attempt that may still be answered; null where there is none. It is the caller's then. */
  @Nullable Pending takePending() {
    Pending taken = pending;
    pending = null;
    return taken;
  }

  /** Ends what may still be going on. */
  @Override
  public void close() {
    Pending left = takePending();
    if (left != null) {
      left.end();
    }
  }

  /** The evidence of the attempt made last; null before the first. */
  @Nullable Live last() {
    return last;
  }

  @Override
  public Reply<Json> attempt(Attempt attempt) {
    close();
    Live live = exchanges.get();
    last = live;
    long begun = System.nanoTime();
    CompletableFuture<Reply<Json>> reply = new CompletableFuture<>();
    Thread worker = Thread.ofVirtual().name("attempt").start(() -> reply.complete(guarded(live)));
    boolean goesOn = false;
    try {
      Reply<Json> ended = await(reply, attempt.deadline(), live, begun);
      goesOn =
          listensOn
              && ended instanceof Reply.Failed<Json>(Failure.TimedOut _, _)
              && !reply.isDone();
      if (goesOn) {
        pending = new Pending(worker, reply, begun);
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Failure.Cancelled.By by = cancellation.by();
      return Reply.failed(
          new Failure.Cancelled(by == null ? Failure.Cancelled.By.SHUTDOWN : by, live.wasSent()));
    } finally {
      if (!goesOn) {
        letGo(worker, reply);
      }
    }
  }

  /** A bug on the wire's side must still leave the call with evidence, and so with an outcome. */
  private Reply<Json> guarded(Live live) {
    try {
      return wire.send(live);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "attempt=failed_unexpectedly", e);
      String what = "an unexpected error in the gateway: " + e.getClass().getSimpleName();
      return Reply.failed(live.wasSent() ? new Failure.Broken(what) : new Failure.NotSent(what));
    }
  }

  private Reply<Json> await(
      CompletableFuture<Reply<Json>> reply, Deadline deadline, Live live, long begun)
      throws InterruptedException {
    while (true) {
      long now = System.nanoTime();
      long toDeadline = deadline.atNanos() - now;
      long toSilence = stall == null ? Long.MAX_VALUE : silence(live, stall, now);
      if (toDeadline <= 0 || toSilence <= 0) {
        return reply.isDone() ? reply.join() : timedOut(live, now - begun, toDeadline <= 0);
      }
      try {
        return reply.get(Math.min(toDeadline, toSilence), TimeUnit.NANOSECONDS);
      } catch (TimeoutException _) {
        LOG.log(System.Logger.Level.TRACE, "attempt=timer_fired");
      } catch (ExecutionException e) {
        throw new IllegalStateException("an attempt ends with a reply", e);
      }
    }
  }

  private static long silence(Live live, Duration stall, long now) {
    long at = live.silentAt(stall);
    // A person is being asked: look again after as long a time.
    return at == Long.MAX_VALUE ? stall.toNanos() : at - now;
  }

  private static Reply<Json> timedOut(Live live, long waitedNanos, boolean deadline) {
    Duration waited = Duration.ofNanos(waitedNanos);
    if (!live.wasSent()) {
      return Reply.failed(new Failure.NotSent("not connected within " + waited.toMillis() + " ms"));
    }
    return Reply.failed(
        new Failure.TimedOut(
            waited, deadline ? Failure.TimedOut.Timer.DEADLINE : Failure.TimedOut.Timer.STALL));
  }

  /** Ends what is still going on, and gives it a moment, so that its evidence is whole. */
  private static void letGo(Thread worker, CompletableFuture<Reply<Json>> reply) {
    if (reply.isDone()) {
      return;
    }
    worker.interrupt();
    // Waiting needs the flag down for a moment; it is up again before anything else runs.
    boolean interrupted = Thread.interrupted();
    try {
      boolean ended = worker.join(LETTING_GO);
      if (!ended) {
        LOG.log(
            System.Logger.Level.WARNING, "attempt=slow_to_end after_ms={0}", LETTING_GO.toMillis());
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Finding<Json> check(Deadline by) {
    throw new IllegalStateException("a call without recognition by check is never checked");
  }
}
