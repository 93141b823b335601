package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
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
 * everyone who waits for it. One thread makes it, once; what an {@link OpenCall} offers, any may
 * use.
 */
final class ToolCall implements Upstream<Json>, OpenCall {
  private static final System.Logger LOG = System.getLogger(ToolCall.class.getName());

  private static final RpcError STOPPING =
      RpcError.of(
          RpcError.INTERNAL_ERROR,
          "the gateway is stopping; the call goes on when it starts again: come back for it then");

  private final Order order;
  private final Carried carried;
  private final Past past;
  private final Backoff backoff;
  private final Audience audience;
  private final CallJournal journal;
  private final Settler settler;
  private final Vigil vigil;
  private final Approvals approvals;
  private final TaskBook tasks;
  private final CallAnswers answers;
  private final Cancellation cancellation = new Cancellation();
  private final Turn turn;
  private final Attempts attempts;
  private final long begun = System.nanoTime();
  private long attemptEnded = begun;
  private volatile @Nullable Trying trying;
  private volatile int made;
  private volatile boolean waitsForPerson;

  /** An attempt that is going on. */
  private record Trying(long since) {}

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
      Vigil vigil,
      Approvals approvals,
      TaskBook tasks,
      boolean modelSettles) {
    this.order = order;
    this.carried = carried;
    this.past = past;
    this.backoff = backoff;
    this.audience = audience;
    this.journal = journal;
    this.settler = settler;
    this.vigil = vigil;
    this.approvals = approvals;
    this.tasks = tasks;
    this.answers = new CallAnswers(order, modelSettles, begun);
    this.made = past.attempts();
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
    journal.beforeEnd(this::beforeEnd);
  }

  /** Ends the call before it began. One that is to learn about another leaves that in doubt. */
  void refuse(Reason.Stopped reason, String detail) {
    Reason.Unknown doubt = past.doubt();
    end(
        doubt == null
            ? new Outcome.Stopped<>(reason, detail, 0, null)
            : new Outcome.Unknown<>(
                doubt,
                detail + ", so nothing was sent or asked; an earlier attempt may have run",
                0));
  }

  private void end(Outcome<Json> outcome) {
    journal.ended(outcome);
    answer(outcome);
  }

  /** Makes the call, and answers it. */
  void make() {
    journal.evidence(
        () -> {
          Live last = attempts.last();
          return last == null ? Evidence.NONE : last.evidence();
        });
    Run.Member member = new Member();
    audience.whenDeserted(
        how -> {
          switch (how) {
            case CANCELLED -> cancellation.cancel(Failure.Cancelled.By.CLIENT);
            case GONE -> nobodyWaits();
          }
        });
    audience.whenAsking(() -> tasks.changed(order.record().id()));
    audience.opened(journal.isDetached());
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
      Outcome.Stopped<Json> denied = denied();
      if (denied == null) {
        Outcome<Json> outcome = bounded();
        answer(outcome);
        goOn(outcome);
      } else {
        end(denied);
      }
    } catch (CallJournal.LeftOpenException _) {
      audience.fail(STOPPING);
    } finally {
      cancellation.end();
      // What is left to the next process still belongs to its run, which must not end before.
      if (!journal.isLeftOpen()) {
        order.run().leave(member);
      }
      attempts.close();
    }
  }

  private Outcome<Json> bounded() {
    return new BoundedCall<>(
            plan(),
            past,
            turn,
            this,
            journal,
            order.means(),
            backoff,
            cancellation,
            ThreadLocalRandom.current())
        .run();
  }

  /** Waits for a person who must say that it may be made. Null when it may. */
  private Outcome.@Nullable Stopped<Json> denied() {
    if (!approvals.isNeeded(order, past, journal.isDetached())) {
      return null;
    }
    waitsForPerson = true;
    try {
      journal.detaching();
      approvals.ask(order, carried.params().toJson(), journal.contents());
      audience.hurry(true);
      return approvals.await(order);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      Failure.Cancelled.By by = cancellation.by();
      return new Outcome.Stopped<>(
          Reason.Stopped.CANCELLED,
          new Failure.Cancelled(by == null ? Failure.Cancelled.By.SHUTDOWN : by, false).detail()
              + ", while it waited to be approved",
          0,
          null);
    } finally {
      waitsForPerson = false;
      audience.hurry(false);
      tasks.changed(order.record().id());
    }
  }

  /** The call as a member of its run. */
  private final class Member implements Run.Member {
    @Override
    public void runEnded() {
      cancellation.cancel(Failure.Cancelled.By.RUN);
    }

    @Override
    public boolean outlivesClient() {
      return journal.isDetached();
    }
  }

  /** A read stops; of a write nothing new is begun, but what was sent may still be answered. */
  private void nobodyWaits() {
    if (order.record().effect() == Effect.READ) {
      cancellation.cancel(Failure.Cancelled.By.CLIENT);
    } else {
      attempts.abandon();
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
    made = attempt.number();
    trying = new Trying(System.nanoTime());
    try (Vigil.Watch _ = vigil.watch(order, attempt.number(), attempts::last, cancellation)) {
      return attempts.attempt(attempt);
    } finally {
      trying = null;
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
            ? KeyedAnswer.send(() -> request(live), live)
            : request(live);
    return reply instanceof Reply.Answered<Json>(Json result) && ToolResults.isError(result)
        ? new Reply.Failed<>(TextStatus.read(result, order.server().profile()), result)
        : reply;
  }

  private Reply<Json> request(Live live) {
    JsonObject params = carried.params();
    boolean asTask = UpstreamTask.isRequired(order.server().lastListed(order.tool()));
    return Rounds.send(
        order.server().server(),
        "tools/call",
        asTask ? params.with("task", JsonObject.EMPTY) : params,
        live);
  }

  private void answer(Outcome<Json> outcome) {
    if (journal.isLeftOpen()) {
      audience.fail(STOPPING);
      return;
    }
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
    audience.answer(
        (talk, session, name) ->
            answers.answer(talk, session, name, outcome, ownError(), retryAfter()));
    tasks.changed(order.record().id());
  }

  /** When it makes sense to ask again; null where nobody has named a time. */
  private @Nullable Duration retryAfter() {
    Duration turnedAway = turn.retryAfter();
    return turnedAway == null ? journal.retryAfter() : turnedAway;
  }

  /** The error that the server answered with last; null when it did not. */
  private @Nullable RpcError ownError() {
    Live last = attempts.last();
    return last == null ? null : last.error();
  }

  /** What must be on record before the call's end is. */
  private void beforeEnd(Outcome<?> outcome) {
    if (audience.wantsTask()) {
      journal.detach(TaskBook.keptUntil(order.run().record()));
    }
    RpcError error = CallAnswers.errorOf(outcome, ownError());
    if (error != null) {
      journal.failed(error);
    }
    settleFirst(outcome);
  }

  /** What this call has learnt about the unknown one that it follows is on record first. */
  private void settleFirst(Outcome<?> outcome) {
    String first = order.record().follows();
    if (first != null
        && outcome instanceof Outcome.Ok<?>(Object answer, int number)
        && answer instanceof Json result) {
      settler.landed(first, result, order, number == 0);
    }
  }

  /** What is unknown may still become known. */
  private void goOn(Outcome<Json> outcome) {
    if (!(outcome instanceof Outcome.Unknown<Json>) || journal.isLeftOpen()) {
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

  @Override
  public CallRecord record() {
    return order.record();
  }

  @Override
  public Audience audience() {
    return audience;
  }

  @Override
  public Standing standing() {
    Trying now = trying;
    Live live = now == null ? null : attempts.last();
    return new Standing(
        Duration.ofNanos(System.nanoTime() - begun),
        made,
        order.bounds().attempts(),
        now == null ? null : Duration.ofNanos(System.nanoTime() - now.since()),
        live == null ? null : live.evidence().lastProgressAge(),
        waitsForPerson);
  }

  @Override
  public boolean detach() {
    return journal.detach(TaskBook.keptUntil(order.run().record()));
  }

  @Override
  public void cancel() {
    if (!audience.isWaitedFor()) {
      cancellation.cancel(Failure.Cancelled.By.CLIENT);
    }
  }

  @Override
  public boolean waitsForPerson() {
    return waitsForPerson;
  }

  @Override
  public void shutDown() {
    boolean canGoOn =
        waitsForPerson
            || order.record().effect() == Effect.READ
            || order.record().recognition() != Recognition.NONE;
    if (canGoOn && journal.isDetached()) {
      journal.leaveOpen();
    }
    cancellation.cancel(Failure.Cancelled.By.SHUTDOWN);
  }
}
