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
final class Attempts implements Upstream<Json> {
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
  private volatile @Nullable Live last;

  /**
   * The attempts of one call.
   *
   * @param exchanges makes the evidence of the next attempt
   * @param stall the longest silence allowed; null for any
   */
  Attempts(
      Effect effect,
      Supplier<Live> exchanges,
      Wire wire,
      Cancellation cancellation,
      @Nullable Duration stall) {
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

  @Override
  public Reply<Json> attempt(Attempt attempt) {
    Live live = exchanges.get();
    last = live;
    if (Thread.currentThread().isInterrupted()) {
      return cancelled(live);
    }
    Patience patience = new Patience(live, attempt.deadline(), stall, System.nanoTime());
    Supplier<Reply<Json>> sending = () -> guarded(live);
    Reply<Json> reply =
        switch (effect) {
          case READ -> new ReadAttempt(patience, cancellation).make(sending);
          case WRITE -> new WriteAttempt(patience).make(sending);
        };
    return reply == null ? cancelled(live) : reply;
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
