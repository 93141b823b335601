package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Reply;
import dev.callbound.policy.Upstream;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call, each held to its deadline: it is interrupted when the time is up, when
 * the server has been silent for too long, or when the call is cancelled. What the wire is doing at
 * that moment does not matter. How that is done differs: see {@link ReadAttempt} and {@link
 * WriteAttempt}.
 *
 * <p>One for each call; an interrupt that a cancellation sent is never cleared.
 */
final class Attempts implements Upstream<Json>, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Attempts.class.getName());

  /** One attempt on the wire, without a deadline of its own. */
  @FunctionalInterface
  interface Wire {
    Reply<Json> send(Live live);
  }

  private final Effect effect;
  private final Supplier<Live> exchanges;
  private final Wire wire;
  private final Cancellation cancellation;
  private final @Nullable Duration stall;
  private final boolean listensOn;
  private WriteAttempt.@Nullable Pending pending;
  private volatile @Nullable Live last;

  /** The attempts of a call that is ended with each of them. */
  Attempts(
      Effect effect,
      Supplier<Live> exchanges,
      Wire wire,
      Cancellation cancellation,
      @Nullable Duration stall) {
    this(effect, exchanges, wire, cancellation, stall, false);
  }

  /**
   * The attempts of one call.
   *
   * @param exchanges makes the evidence of the next attempt
   * @param stall the longest silence allowed; null for any
   * @param listensOn whether a write's attempt that ran out of time is left alone, so that its
   *     answer can still be heard
   */
  Attempts(
      Effect effect,
      Supplier<Live> exchanges,
      Wire wire,
      Cancellation cancellation,
      @Nullable Duration stall,
      boolean listensOn) {
    this.listensOn = listensOn;
    this.effect = effect;
    this.exchanges = exchanges;
    this.wire = wire;
    this.cancellation = cancellation;
    this.stall = stall;
  }

  /** The evidence of the attempt made last; null before the first. */
  @Nullable Live last() {
    return last;
  }

  /** The attempt that may still be answered; null where there is none. It is the caller's then. */
  WriteAttempt.@Nullable Pending takePending() {
    WriteAttempt.Pending taken = pending;
    pending = null;
    return taken;
  }

  /**
   * Nobody waits any more: nothing more is sent, not even what turns out not to have been taken,
   * while what was sent may still be answered.
   */
  void abandon() {
    cancellation.abandon();
    Live current = last;
    if (current != null) {
      current.over();
    }
  }

  /** Ends what may still be going on. */
  @Override
  public void close() {
    WriteAttempt.Pending left = takePending();
    if (left != null) {
      left.end();
    }
  }

  @Override
  public Reply<Json> attempt(Attempt attempt) {
    close();
    Live live = exchanges.get();
    last = live;
    if (cancellation.isAbandoned()) {
      live.over();
    }
    if (Thread.currentThread().isInterrupted()) {
      return cancelled(live);
    }
    Patience patience = new Patience(live, attempt.deadline(), stall, System.nanoTime());
    Supplier<Reply<Json>> sending = () -> guarded(live);
    Reply<Json> reply =
        switch (effect) {
          case READ -> new ReadAttempt(patience, cancellation).make(sending);
          case WRITE -> write(new WriteAttempt(patience, listensOn), sending);
        };
    return reply == null ? cancelled(live) : reply;
  }

  private @Nullable Reply<Json> write(WriteAttempt attempt, Supplier<Reply<Json>> sending) {
    Reply<Json> reply = attempt.make(sending);
    pending = attempt.pending();
    return reply;
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

  /** Whether the tool itself has spoken; that counts, also where the time ended as it did. */
  static boolean isAnswer(Reply<Json> reply) {
    return switch (reply) {
      case Reply.Answered<Json> _ -> true;
      case Reply.Failed<Json> failed -> failed.answer() != null;
    };
  }

  private Reply<Json> cancelled(Live live) {
    Failure.Cancelled.By by = cancellation.by();
    return Reply.failed(
        new Failure.Cancelled(by == null ? Failure.Cancelled.By.SHUTDOWN : by, live.wasSent()));
  }

  @Override
  public Finding<Json> check(Deadline by) {
    throw new IllegalStateException("a call without recognition by check is never checked");
  }
}
