package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Evidence;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.BoundedCall;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Plan;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One call that has been let in: plans it, makes it, and turns its outcome into the client's
 * answer. One thread, one use.
 */
final class ToolCall {
  private static final System.Logger LOG = System.getLogger(ToolCall.class.getName());

  private final Backoff backoff;
  private final ServerTools server;
  private final String tool;
  private final ToolConfig bounds;
  private final ToolRequest request;
  private final Session session;
  private final Run run;
  private final CallRecord record;
  private final CallJournal journal;
  private final Questions.Parked parked;
  private final Cancellation cancellation = new Cancellation();
  private final long begun = System.nanoTime();
  private @Nullable Questions questions;

  ToolCall(
      Backoff backoff,
      ServerTools server,
      String tool,
      ToolConfig bounds,
      ToolRequest request,
      Session session,
      Run run,
      CallRecord record,
      CallJournal journal,
      Questions.Parked parked) {
    this.backoff = backoff;
    this.server = server;
    this.tool = tool;
    this.bounds = bounds;
    this.request = request;
    this.session = session;
    this.run = run;
    this.record = record;
    this.journal = journal;
    this.parked = parked;
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** Ends the call before it began. */
  void refuse(Talk talk, Reason.Stopped reason, String detail) {
    journal.ended(new Outcome.Stopped<>(reason, detail, 0, null));
    talk.answer(Answers.stopped(session.revision(), reason, detail, facts(0, null)));
  }

  /** Makes the call, and answers it. */
  void make(Talk talk, Map<String, String> mirrored) {
    Questions asker =
        new Questions(session, talk, parked, this::follow, Questions.Undeclared.REFUSED);
    questions = asker;
    Exchange.Caller caller = session.caller();
    Attempts attempts =
        new Attempts(
            record.effect(),
            () -> new Live(asker, caller, server.config().maxResultBytes(), mirrored),
            this::send,
            cancellation,
            bounds.stall());
    journal.evidence(
        () -> {
          Live last = attempts.last();
          return last == null ? Evidence.NONE : last.evidence();
        });
    Run.Member member = () -> cancellation.cancel(Failure.Cancelled.By.RUN);
    Runnable gone = this::nobodyWaits;
    follow(talk);
    if (session.revision().hasSessions()) {
      session.whenClosed(gone);
    }
    cancellation.begin();
    try {
      if (!run.join(member)) {
        refuse(talk, Reason.Stopped.RUN_OVER, "the run is over");
        return;
      }
      Outcome<Json> outcome =
          new BoundedCall<>(
                  plan(),
                  attempts,
                  journal,
                  run.budget(),
                  backoff,
                  cancellation,
                  ThreadLocalRandom.current())
              .run();
      answer(asker.talk(), outcome, attempts.last());
    } finally {
      cancellation.end();
      run.leave(member);
      session.notWhenClosed(gone);
    }
  }

  /** The conversation that hears about this call; the given one while nothing was asked. */
  Talk talk(Talk first) {
    Questions asker = questions;
    return asker == null ? first : asker.talk();
  }

  /** Whoever waits in this conversation may end the call, or leave it. */
  private void follow(Talk talk) {
    session.cancellable(
        talk.request().id(), () -> cancellation.cancel(Failure.Cancelled.By.CLIENT));
    if (!session.revision().hasSessions()) {
      // Since 2026-07-28 a client cancels by going away; before, it may come back.
      talk.whenLeft(this::nobodyWaits);
    }
  }

  /** A read stops; of a write nothing new is begun, but what was sent may still be answered. */
  private void nobodyWaits() {
    if (record.effect() == Effect.READ) {
      cancellation.cancel(Failure.Cancelled.By.CLIENT);
    } else {
      cancellation.abandon();
    }
  }

  private Plan plan() {
    return new Plan(
        record.effect(),
        record.recognition(),
        bounds.deadline(),
        Deadline.after(bounds.callDeadline(), cancellation),
        run.deadline(),
        bounds.attempts());
  }

  /** One attempt on the wire; what the server asks before it answers is part of it. */
  private Reply<Json> send(Live live) {
    Reply<Json> reply =
        Rounds.send(
            server.server(), "tools/call", request.forServer(tool, session.logLevel()), live);
    return reply instanceof Reply.Answered<Json>(Json result) && isError(result)
        ? new Reply.Failed<>(TextStatus.read(result), result)
        : reply;
  }

  private static boolean isError(Json result) {
    Json flag = result.at("isError");
    return flag != null && flag.isTrue();
  }

  private void answer(Talk talk, Outcome<Json> outcome, @Nullable Live last) {
    session.over(talk.request().id());
    switch (outcome) {
      case Outcome.Ok<Json>(Json result, _) -> talk.answer(translated(result));
      case Outcome.Stopped<Json> stopped -> stopped(talk, stopped, last);
      case Outcome.Unknown<Json> unknown -> {
        LOG.log(
            System.Logger.Level.INFO,
            "run={0} call={1} server={2} tool={3} outcome=unknown reason={4} attempts={5}",
            run.id(),
            record.id(),
            record.server(),
            record.tool(),
            unknown.reason().code(),
            unknown.attempts());
        talk.answer(
            Answers.unknown(
                session.revision(),
                unknown.reason(),
                unknown.detail(),
                facts(unknown.attempts(), null)));
      }
    }
  }

  private void stopped(Talk talk, Outcome.Stopped<Json> stopped, @Nullable Live last) {
    RpcError own = last == null ? null : last.error();
    if (stopped.answer() != null) {
      talk.answer(translated(stopped.answer()));
    } else if (own != null && ProtocolErrors.forClient(own)) {
      talk.fail(own);
    } else {
      talk.answer(
          Answers.stopped(
              session.revision(),
              stopped.reason(),
              stopped.detail(),
              facts(stopped.attempts(), journal.retryAfter())));
    }
  }

  private Json translated(Json result) {
    return Translation.forClient(session.revision(), "tools/call", result);
  }

  private Answers.Facts facts(int attempts, @Nullable Duration retryAfter) {
    return new Answers.Facts(
        request.name(),
        record.effect() == Effect.WRITE,
        attempts,
        bounds.deadline(),
        Duration.ofNanos(System.nanoTime() - begun),
        run.id(),
        record.id(),
        retryAfter);
  }
}
