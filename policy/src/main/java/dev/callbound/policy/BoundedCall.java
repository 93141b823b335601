package dev.callbound.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A call that ends: the only loop.
 *
 * <pre>
 *   (attempt → classify → wait)* → outcome → record
 * </pre>
 *
 * <p>The loop makes attempts and keeps count. What a failure means is for {@link Classifier}; how
 * long an attempt may take is for {@link Plan}; whether another one is paid for is for {@link
 * Allowance}; who is told what in which order is for {@link Journal}. It ends in exactly one {@link
 * Outcome}, which has been recorded when {@link #run()} returns.
 *
 * <p>One call, one thread, one use.
 *
 * @param <T> what a result is
 */
public final class BoundedCall<T> {
  private final Plan plan;
  private final Upstream<T> upstream;
  private final Journal journal;
  private final Time time;
  private final Allowance allowance;

  private Circumstances circumstances;

  /**
   * A call about to be made.
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
    this.plan = plan;
    this.upstream = upstream;
    this.journal = journal;
    this.time = time;
    this.allowance = new Allowance(plan, budget, backoff, time, random);
    this.circumstances = Circumstances.initial(plan.effect(), plan.recognition());
  }

  /**
   * Makes the call. What can happen in operation is in the outcome; what the journal throws when it
   * can't keep the record is passed on, and nothing is sent after it.
   *
   * <p>Where the wait between two attempts was interrupted, the interrupt flag is set on return.
   */
  public Outcome<T> run() {
    Outcome<T> outcome = attempts();
    journal.ended(outcome);
    return outcome;
  }

  private Outcome<T> attempts() {
    if (plan.end().passed(time)) {
      return new Outcome.Stopped<>(
          Reason.Stopped.DEADLINE_EXCEEDED, "no time was left to begin", 0, null);
    }
    for (int number = 1; ; number++) {
      switch (attempt(number)) {
        case Next.End<T>(_, Outcome<T> outcome) -> {
          return outcome;
        }
        case Next.Again<T>(_, Duration pause, Reply.Failed<T> failed) -> {
          Outcome<T> end = sleep(pause, failed, number);
          if (end != null) {
            return end;
          }
        }
      }
    }
  }

  /** What follows an attempt. */
  private sealed interface Next<T> {
    Decision decision();

    record End<T>(Decision decision, Outcome<T> outcome) implements Next<T> {}

    record Again<T>(Decision decision, Duration pause, Reply.Failed<T> failed) implements Next<T> {}
  }

  private Next<T> attempt(int number) {
    Attempt attempt = plan.attempt(number, time);
    journal.begun(attempt);
    long begun = time.nanos();
    Reply<T> reply = upstream.attempt(attempt);
    Duration waited = Duration.ofNanos(time.nanos() - begun);
    return switch (reply) {
      case Reply.Answered<T>(T result) -> {
        journal.ended(attempt, waited, null, Decision.ANSWERED);
        yield new Next.End<>(Decision.ANSWERED, new Outcome.Ok<>(result, number));
      }
      case Reply.Failed<T> failed -> {
        Next<T> next = after(failed, number);
        journal.ended(attempt, waited, failed.failure(), next.decision());
        yield next;
      }
    };
  }

  private Next<T> after(Reply.Failed<T> failed, int number) {
    Failure failure = failed.failure();
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
              Wording.notRepeated(failure, plan.recognition()));
      case Verdict.Retry(@Nullable Duration told) ->
          retry(told, Wording.repeated(failure, told, plan.effect()), failed, number);
      case Verdict.AskFirst _ -> ask(failed, number);
    };
  }

  private Next<T> ask(Reply.Failed<T> failed, int number) {
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
        yield retry(null, "the check found no effect", failed, number);
      }
    };
  }

  private Next<T> retry(
      @Nullable Duration told, String because, Reply.Failed<T> failed, int number) {
    return switch (allowance.afterAttempt(number, failed.failure(), told)) {
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

  /** Waits. Returns how the call ends instead, or null when the next attempt may begin. */
  private @Nullable Outcome<T> sleep(Duration pause, Reply.Failed<T> failed, int number) {
    try {
      time.sleep(pause);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      allowance.giveBack();
      return over(Reason.Stopped.CANCELLED, "cancelled while waiting to try again", failed, number);
    }
    // A sleep may take longer than asked, on a busy machine or one that was suspended.
    if (plan.end().passed(time)) {
      allowance.giveBack();
      return over(
          Reason.Stopped.DEADLINE_EXCEEDED, "the deadline passed during the wait", failed, number);
    }
    return null;
  }

  /** How the call ends for a reason of ours: as unknown once an attempt may have run. */
  private Outcome<T> over(Reason.Stopped reason, String why, Reply.Failed<T> failed, int number) {
    Reason.Unknown doubt = circumstances.doubt();
    Failure failure = failed.failure();
    return doubt == null
        ? new Outcome.Stopped<>(reason, why + "; " + Wording.what(failure), number, failed.answer())
        : new Outcome.Unknown<>(doubt, why + "; " + Wording.doubt(failure), number);
  }

  private static <T> Next<T> end(Outcome<T> outcome, String why) {
    return new Next.End<>(Decision.ending(outcome, why), outcome);
  }
}
