package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.run.Run;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Evidence;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.BoundedCall;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Past;
import dev.callbound.policy.Plan;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Reply;
import dev.callbound.policy.Upstream;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One call that has been let in: plans it, makes it, and turns its outcome into the answer of
 * everyone who waits for it. One thread, one use.
 */
final class ToolCall implements Upstream<Json> {
  private static final System.Logger LOG = System.getLogger(ToolCall.class.getName());

  private final Order order;
  private final Carried carried;
  private final Past past;
  private final Backoff backoff;
  private final Audience audience;
  private final CallJournal journal;
  private final Settler settler;
  private final boolean modelSettles;
  private final Cancellation cancellation = new Cancellation();
  private final Turn turn;
  private final Attempts attempts;
  private final long begun = System.nanoTime();
  private long attemptEnded = begun;

  /**
   * A call about to be made.
   *
   * @param carried what the server gets of it
   * @param past what it brings along from before: an earlier process's attempts, or the doubt of
   *     the call that it follows
   * @param modelSettles whether a model may say what became of it, should it end unknown
   */
  ToolCall(
      Order order,
      Carried carried,
      Past past,
      Backoff backoff,
      Audience audience,
      CallJournal journal,
      Settler settler,
      boolean modelSettles) {
    this.order = order;
    this.carried = carried;
    this.past = past;
    this.backoff = backoff;
    this.audience = audience;
    this.journal = journal;
    this.settler = settler;
    this.modelSettles = modelSettles;
    this.turn =
        new Turn(
            order
                .server()
                .doorway(order.tool(), order.bounds())
                .gate(cancellation, order.bounds().deadline()),
            journal);
    this.attempts =
        new Attempts(
            order.record().effect(),
            () ->
                new Live(
                    audience,
                    order.caller(),
                    order.server().config().maxResultBytes(),
                    order.mirrored(),
                    carried.headers()),
            this::send,
            cancellation,
            order.bounds().stall(),
            lateWindow().isPositive());
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** Ends the call before it began. */
  void refuse(Reason.Stopped reason, String detail) {
    journal.ended(new Outcome.Stopped<>(reason, detail, 0, null));
    audience.answer(
        (talk, session, name) ->
            talk.answer(Answers.stopped(session.revision(), reason, detail, facts(name, 0, null))));
  }

  /** Makes the call, and answers it. */
  void make() {
    journal.evidence(
        () -> {
          Live last = attempts.last();
          return last == null ? Evidence.NONE : last.evidence();
        });
    journal.beforeEnd(this::settleFirst);
    Run.Member member = () -> cancellation.cancel(Failure.Cancelled.By.RUN);
    audience.whenDeserted(
        how -> {
          switch (how) {
            case CANCELLED -> cancellation.cancel(Failure.Cancelled.By.CLIENT);
            case GONE -> nobodyWaits();
          }
        });
    cancellation.begin();
    try {
      if (!order.run().join(member)) {
        if (past.equals(Past.NOTHING)) {
          refuse(Reason.Stopped.RUN_OVER, "the run is over");
          return;
        }
        // Something of it may have run: the loop says how that ends.
        cancellation.cancel(Failure.Cancelled.By.RUN);
      }
      Outcome<Json> outcome =
          new BoundedCall<>(
                  plan(),
                  past,
                  turn,
                  this,
                  journal,
                  order.run().budget(),
                  backoff,
                  cancellation,
                  ThreadLocalRandom.current())
              .run();
      answer(outcome);
      goOn(outcome);
    } finally {
      cancellation.end();
      order.run().leave(member);
      attempts.close();
    }
  }

  /** A read stops; of a write nothing new is begun, but what was sent may still be answered. */
  private void nobodyWaits() {
    if (order.record().effect() == Effect.READ) {
      cancellation.cancel(Failure.Cancelled.By.CLIENT);
    } else {
      cancellation.abandon();
    }
  }

  private Plan plan() {
    CallRecord record = order.record();
    return new Plan(
        record.effect(),
        record.recognition(),
        order.bounds().deadline(),
        Deadline.after(order.bounds().callDeadline(), cancellation),
        order.run().deadline(),
        order.bounds().attempts(),
        order.keyUntil());
  }

  private Duration lateWindow() {
    return order.record().effect() == Effect.READ ? Duration.ZERO : order.bounds().listensFor();
  }

  @Override
  public Reply<Json> attempt(Attempt attempt) {
    try {
      return attempts.attempt(attempt);
    } finally {
      attemptEnded = System.nanoTime();
    }
  }

  @Override
  public Finding<Json> check(Deadline by) {
    // "Not there" may become "there" a moment later: nothing may still be on its way.
    attempts.close();
    if (!(order.recognise() instanceof Recognise.ByCheck how)) {
      throw new IllegalStateException("a call without recognition by check is never checked");
    }
    Finding<Json> found =
        new Checker(
                order.server(), how, order.arguments(), order.key(), order.caller(), cancellation)
            .ask(by, attemptEnded);
    String first = order.record().follows();
    if (first != null && found instanceof Finding.Absent<Json>) {
      settler.absent(first);
    }
    return found;
  }

  /** One attempt on the wire; what the server asks before it answers is part of it. */
  private Reply<Json> send(Live live) {
    Reply<Json> reply =
        order.record().recognition() == Recognition.KEY
            ? KeyedAnswer.send(() -> request(live))
            : request(live);
    return reply instanceof Reply.Answered<Json>(Json result) && ToolResults.isError(result)
        ? new Reply.Failed<>(TextStatus.read(result, order.server().profile()), result)
        : reply;
  }

  private Reply<Json> request(Live live) {
    return Rounds.send(order.server().server(), "tools/call", carried.params(), live);
  }

  private void answer(Outcome<Json> outcome) {
    if (outcome instanceof Outcome.Unknown<Json> unknown) {
      LOG.log(
          System.Logger.Level.INFO,
          "run={0} call={1} server={2} tool={3} outcome=unknown reason={4} attempts={5}",
          order.run().id(),
          order.record().id(),
          order.record().server(),
          order.tool(),
          unknown.reason().code(),
          unknown.attempts());
    }
    audience.answer((talk, session, name) -> answer(talk, session, name, outcome));
  }

  private void answer(Talk talk, Session session, String name, Outcome<Json> outcome) {
    switch (outcome) {
      case Outcome.Ok<Json>(Json result, _) -> talk.answer(Audience.translated(session, result));
      case Outcome.Stopped<Json> stopped -> stopped(talk, session, name, stopped);
      case Outcome.Unknown<Json> unknown ->
          talk.answer(
              Answers.unknown(
                  session.revision(),
                  unknown.reason(),
                  unknown.detail(),
                  facts(name, unknown.attempts(), null)));
    }
  }

  private void stopped(Talk talk, Session session, String name, Outcome.Stopped<Json> stopped) {
    Live last = attempts.last();
    RpcError own = last == null ? null : last.error();
    if (stopped.answer() != null) {
      talk.answer(Audience.translated(session, stopped.answer()));
    } else if (own != null && ProtocolErrors.forClient(own)) {
      talk.fail(own);
    } else {
      Duration again = turn.retryAfter() == null ? journal.retryAfter() : turn.retryAfter();
      Answers.Facts facts = facts(name, stopped.attempts(), again);
      talk.answer(
          stopped.reason() == Reason.Stopped.REFUSED
                  && order.server().entrance().refusesCredentials()
              ? Answers.unauthorized(session.revision(), stopped.detail(), facts)
              : Answers.stopped(session.revision(), stopped.reason(), stopped.detail(), facts));
    }
  }

  /** What this call has learnt about the unknown one that it follows is on record first. */
  private void settleFirst(Outcome<?> outcome) {
    String first = order.record().follows();
    if (first != null
        && outcome instanceof Outcome.Ok<?>(Object answer, int made)
        && answer instanceof Json result) {
      settler.landed(first, result, order, made == 0);
    }
  }

  /** What is unknown may still become known. */
  private void goOn(Outcome<Json> outcome) {
    if (!(outcome instanceof Outcome.Unknown<Json>)) {
      return;
    }
    WriteAttempt.Pending pending = attempts.takePending();
    if (pending != null) {
      settler.listen(order, pending, lateWindow());
    }
    if (order.record().recognition() == Recognition.CHECK) {
      settler.keepAsking(order, attemptEnded);
    }
  }

  private Answers.Facts facts(String name, int made, @Nullable Duration retryAfter) {
    return new Answers.Facts(
        name,
        order.record().effect() == Effect.WRITE,
        made,
        order.bounds().deadline(),
        Duration.ofNanos(System.nanoTime() - begun),
        order.run().id(),
        order.record().id(),
        order.record().key(),
        Answers.Settles.of(order.record().recognition(), modelSettles),
        retryAfter);
  }
}
