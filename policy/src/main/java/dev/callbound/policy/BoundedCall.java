package dev.callbound.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A call that ends: the only loop.
 *
 * <pre>
 *   (gate → attempt → classify → wait)* → outcome → record
 * </pre>
 *
 * <p>The loop makes attempts and keeps count. Whether an attempt may begin is for {@link Gate};
 * what a failure means is for {@link Classifier}; how long an attempt may take is for {@link Plan};
 * whether another one is paid for is for {@link Allowance}; who is told what in which order is for
 * {@link Journal}. It ends in exactly one {@link Outcome}, which has been recorded when {@link
 * #run()} returns.
 *
 * <p>A call that another process began, or that follows one which ended {@code unknown}, enters the
 * same loop with a {@link Past}: where it comes in depends on what is in doubt and on what could
 * recognise a repeat, and from there on nothing is different.
 *
 * <p>One call, one thread, one use.
 *
 * @param <T> what a result is
 */
public final class BoundedCall<T> {
  private final Plan plan;
  private final Past past;
  private final Upstream<T> upstream;
  private final Journal journal;
  private final Time time;
  private final Allowance allowance;
  private final Approach approach;

  private Circumstances circumstances;

  /**
   * A call about to be made for the first time, with nothing in its way, that costs nothing.
   *
   * @param budget the retries of the run that the call belongs to, shared with its other calls
   * @param random draws the jitter
   */
  public BoundedCall(
      Plan plan,
      Upstream<T> upstream,
      Journal journal,
      RetryBudget budget,
      Backoff backoff,
      Time time,
      RandomGenerator random) {
    this(
        plan,
        Past.NOTHING,
        Gate.OPEN,
        upstream,
        journal,
        Means.freeOfCharge(budget),
        backoff,
        time,
        random);
  }

  /**
   * A call about to be made, or to be taken up.
   *
   * @param past what has happened of it before
   * @param gate lets each attempt through, or does not
   * @param means what pays for its attempts
   * @param random draws the jitter
   */
  public BoundedCall(
      Plan plan,
      Past past,
      Gate gate,
      Upstream<T> upstream,
      Journal journal,
      Means means,
      Backoff backoff,
      Time time,
      RandomGenerator random) {
    this.plan = plan;
    this.past = past;
    this.upstream = upstream;
    this.journal = journal;
    this.time = time;
    this.allowance = new Allowance(plan, means, backoff, time, random);
    this.approach = new Approach(plan, gate, time);
    this.circumstances = Circumstances.of(plan, past);
  }

  /**
   * Makes the call. What can happen in operation is in the outcome; what the journal throws when it
   * can't keep the record is passed on, and nothing is sent after it.
   *
   * <p>Where a wait before an attempt was interrupted, the interrupt flag is set on return.
   */
  public Outcome<T> run() {
    Outcome<T> outcome = attempts();
    journal.ended(outcome);
    return outcome;
  }

  private Outcome<T> attempts() {
    Next<T> next = enter();
    for (int number = past.attempts(); ; number++) {
      if (next instanceof Next.End<T>(_, Outcome<T> outcome)) {
        return outcome;
      }
      Next.Again<T> again = next instanceof Next.Again<T> retry ? retry : null;
      switch (approach.begin(again == null ? null : again.pause(), circumstances.doubt() != null)) {
        case Approach.Arrival.There(Gate.Pass pass) -> next = attempt(number + 1, pass);
        case Approach.Arrival.Never(Reason.Stopped reason, String why) -> {
          allowance.notBegun(number + 1);
          return over(reason, why, again == null ? null : again.failed(), number);
        }
      }
    }
  }

  /** What follows an attempt, or the past. */
  private sealed interface Next<T> {
    /** The call ends. */
    record End<T>(Decision decision, Outcome<T> outcome) implements Next<T> {}

    /** Another attempt, after a wait. The failure is null where another process knew it. */
    record Again<T>(Decision decision, Duration pause, Reply.@Nullable Failed<T> failed)
        implements Next<T> {}

    /** The first attempt, at once. */
    record First<T>() implements Next<T> {}
  }

  /** What follows the past. */
  private Next<T> enter() {
    int number = past.attempts();
    Failure pending = past.pending();
    if (pending != null) {
      Next<T> next = after(new Reply.Failed<>(pending, null), number);
      return recorded(next, number, () -> journal.takenUp(number, pending, decision(next)));
    }
    if (plan.end().passed(time)) {
      return noTimeToBegin(number);
    }
    circumstances = circumstances.recognisedBy(plan.recognition(time));
    Reason.Unknown doubt = circumstances.doubt();
    if (doubt == null) {
      return goOn(number, "nothing of it may have run");
    }
    return switch (circumstances.recognition()) {
      case KEY -> goOn(number, "the tool recognises a repeat by its key");
      case CHECK -> ask(null, number);
      case NONE -> {
        String why = Wording.notRepeated(null, plan.recognition(), Recognition.NONE);
        yield end(new Outcome.Unknown<>(doubt, why, number), why);
      }
    };
  }

  /** The next attempt of a call that has no failure of its own to go by. */
  private Next<T> goOn(int number, String because) {
    if (number > 0) {
      return retry(null, because, null, number);
    }
    // A check may have used the time up.
    if (plan.end().passed(time)) {
      return noTimeToBegin(number);
    }
    return switch (allowance.first()) {
      case Allowance.Answer.Denied(Reason.Stopped reason, String why) ->
          end(over(reason, why, null, number), why);
      case Allowance.Answer.Granted _ -> new Next.First<>();
    };
  }

  private Next<T> noTimeToBegin(int number) {
    String why = "no time was left to begin";
    return end(over(Reason.Stopped.DEADLINE_EXCEEDED, why, null, number), why);
  }

  private Next<T> attempt(int number, Gate.Pass pass) {
    Attempt attempt = plan.attempt(number, time);
    Duration waited;
    Reply<T> reply = null;
    boolean onRecord = false;
    try {
      journal.begun(attempt);
      onRecord = true;
      long begun = time.nanos();
      reply = upstream.attempt(attempt);
      waited = Duration.ofNanos(time.nanos() - begun);
    } finally {
      // What can't be recorded is not sent.
      if (!onRecord) {
        allowance.notBegun(number);
      }
      if (reply == null) {
        pass.unused();
      } else {
        Failure failure = failure(reply);
        pass.used(attempt, failure);
        allowance.made(failure);
      }
    }
    return switch (reply) {
      case Reply.Answered<T>(T result) -> {
        journal.ended(attempt, waited, null, Decision.ANSWERED);
        yield new Next.End<>(Decision.ANSWERED, new Outcome.Ok<>(result, number));
      }
      case Reply.Failed<T> failed -> {
        Next<T> next = after(failed, number);
        yield recorded(
            next, number, () -> journal.ended(attempt, waited, failed.failure(), decision(next)));
      }
    };
  }

  /** What follows, once that is on record; where it can't be, nothing follows. */
  private Next<T> recorded(Next<T> next, int number, Runnable record) {
    boolean kept = false;
    try {
      record.run();
      kept = true;
      return next;
    } finally {
      if (!kept && next instanceof Next.Again<T>) {
        allowance.notBegun(number + 1);
      }
    }
  }

  private static @Nullable Failure failure(Reply<?> reply) {
    return switch (reply) {
      case Reply.Answered<?> _ -> null;
      case Reply.Failed<?> failed -> failed.failure();
    };
  }

  private Next<T> after(Reply.Failed<T> failed, int number) {
    Failure failure = failed.failure();
    circumstances = circumstances.recognisedBy(plan.recognition(time));
    Verdict verdict = Classifier.classify(failure, circumstances);
    circumstances = circumstances.after(failure);
    return switch (verdict) {
      case Verdict.Stop(Reason.Stopped reason) ->
          end(
              new Outcome.Stopped<>(reason, Wording.what(failure), number, failed.answer()),
              Wording.settled(failure, plan.effect()));
      case Verdict.Unknown(Reason.Unknown reason) ->
          end(
              new Outcome.Unknown<>(reason, Wording.doubt(failure), number),
              Wording.notRepeated(failure, plan.recognition(), circumstances.recognition()));
      case Verdict.Retry(@Nullable Duration told) ->
          retry(told, Wording.repeated(failure, told, plan.effect()), failed, number);
      case Verdict.AskFirst _ -> ask(failed, number);
    };
  }

  private Next<T> ask(Reply.@Nullable Failed<T> failed, int number) {
    if (plan.end().passed(time)) {
      String why = "no time was left to ask whether the effect is there";
      return end(over(Reason.Stopped.DEADLINE_EXCEEDED, why, failed, number), why);
    }
    return switch (upstream.check(plan.end())) {
      case Finding.Landed<T>(T result) ->
          end(new Outcome.Ok<>(result, number), "the check found the effect");
      case Finding.Unclear<T>(String detail) ->
          end(
              new Outcome.Unknown<>(Reason.Unknown.CHECK_FAILED, detail, number),
              "the check gave no clear answer: " + detail);
      case Finding.Absent<T> _ -> {
        circumstances = circumstances.withoutDoubt();
        String why = "the check found no effect";
        yield failed == null ? goOn(number, why) : retry(null, why, failed, number);
      }
    };
  }

  private Next<T> retry(
      @Nullable Duration told, String because, Reply.@Nullable Failed<T> failed, int number) {
    Failure failure = failed == null ? null : failed.failure();
    boolean inDoubt = circumstances.doubt() != null;
    return switch (allowance.afterAttempt(number, failure, told, inDoubt)) {
      case Allowance.Answer.Denied(Reason.Stopped reason, String why) ->
          end(over(reason, why, failed, number), why);
      case Allowance.Answer.Granted(Duration pause) -> {
        if (told != null) {
          circumstances = circumstances.havingWaitedAsTold();
        }
        yield new Next.Again<>(Decision.retry(pause, because), pause, failed);
      }
    };
  }

  /** How the call ends for a reason of ours: as unknown once an attempt may have run. */
  private Outcome<T> over(
      Reason.Stopped reason, String why, Reply.@Nullable Failed<T> failed, int number) {
    Reason.Unknown doubt = circumstances.doubt();
    Failure failure = failed == null ? null : failed.failure();
    if (doubt != null) {
      return new Outcome.Unknown<>(doubt, why + "; " + Wording.doubt(failure), number);
    }
    return failed == null
        ? new Outcome.Stopped<>(reason, why, number, null)
        : new Outcome.Stopped<>(
            reason, why + "; " + Wording.what(failed.failure()), number, failed.answer());
  }

  private static <T> Next<T> end(Outcome<T> outcome, String why) {
    return new Next.End<>(Decision.ending(outcome, why), outcome);
  }

  private static Decision decision(Next<?> next) {
    return switch (next) {
      case Next.End<?>(Decision decision, _) -> decision;
      case Next.Again<?>(Decision decision, _, _) -> decision;
      case Next.First<?> _ -> throw new IllegalStateException("nothing was decided");
    };
  }
}
