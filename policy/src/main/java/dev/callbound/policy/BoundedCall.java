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
 * long an attempt may take is for {@link Plan}; who is told what in which order is for {@link
 * Journal}. It ends in exactly one {@link Outcome}, which has been recorded when {@link #run()}
 * returns. Whether a wait is paid for (attempts, time, the run's retries) is asked before it begins:
 * the last attempt never pays for a backoff that it can't use.
 *
 * <p>One call, one thread, one use.
 *
 * @param <T> what a result is
 */
public final class BoundedCall<T> {
  private static final Decision ANSWERED =
      new Decision(Decision.Action.OK, null, "the tool answered");

  private final Plan plan;
  private final Upstream<T> upstream;
  private final Journal journal;
  private final RetryBudget budget;
  private final Backoff backoff;
  private final Time time;
  private final RandomGenerator random;

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
    this.budget = budget;
    this.backoff = backoff;
    this.time = time;
    this.random = random;
    this.circumstances = Circumstances.initial(plan.effect(), plan.recognition());
  }

  /** Makes the call. Never throws for what can happen in operation, except what the journal throws. */
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
      Attempt attempt = plan.attempt(number, time);
      journal.begun(attempt);
      long begun = time.nanos();
      Reply<T> reply = upstream.attempt(attempt);
      Duration waited = Duration.ofNanos(time.nanos() - begun);
      switch (reply) {
        case Reply.Answered<T>(T result) -> {
          journal.ended(attempt, waited, null, ANSWERED);
          return new Outcome.Ok<>(result, number);
        }
        case Reply.Failed<T> failed -> {
          Step<T> step = next(failed, number);
          journal.ended(attempt, waited, failed.failure(), step.decision());
          if (step.outcome() != null) {
            return step.outcome();
          }
          Outcome<T> cancelled = sleep(step, failed, number);
          if (cancelled != null) {
            return cancelled;
          }
        }
      }
    }
  }

  /** What follows a failed attempt: an outcome, or a wait before the next one. */
  private record Step<T>(Decision decision, @Nullable Outcome<T> outcome) {}

  private Step<T> next(Reply.Failed<T> failed, int number) {
    Verdict verdict = Classifier.classify(failed.failure(), circumstances);
    circumstances = circumstances.after(failed.failure());
    return switch (verdict) {
      case Verdict.Stop(Reason.Stopped reason) ->
          end(stopped(reason, failed, number), "final: " + failed.failure().detail());
      case Verdict.Unknown(Reason.Unknown reason) ->
          end(unknown(reason, failed, number), unknownBecause(failed.failure()));
      case Verdict.Retry(@Nullable Duration told) -> retry(told, failed, number);
      case Verdict.AskFirst _ -> ask(failed, number);
    };
  }

  private Step<T> ask(Reply.Failed<T> failed, int number) {
    return switch (upstream.check(plan.end())) {
      case Finding.Landed<T>(T result) ->
          end(new Outcome.Ok<>(result, number), "the check found the effect");
      case Finding.Unclear<T>(String detail) ->
          end(
              new Outcome.Unknown<>(Reason.Unknown.CHECK_FAILED, detail, number),
              "the check gave no clear answer: " + detail);
      case Finding.Absent<T> _ -> {
        circumstances = circumstances.withoutDoubt();
        yield retry(null, failed, number);
      }
    };
  }

  /** Tries again if attempts, time and the run's retries allow; asked before the sleep begins. */
  private Step<T> retry(@Nullable Duration told, Reply.Failed<T> failed, int number) {
    Failure failure = failed.failure();
    if (number >= plan.attempts()) {
      return overOrInDoubt(exhausted(failure), "attempt " + number + " was the last", failed, number);
    }
    Duration left = plan.end().left(time);
    if (left.isZero()) {
      return overOrInDoubt(
          Reason.Stopped.DEADLINE_EXCEEDED, "the deadline has passed", failed, number);
    }
    Duration wait = told != null ? told : backoff.before(number, random);
    if (wait.compareTo(left) >= 0) {
      // Not now and never again before the end: the limit is the reason, not the time.
      Reason.Stopped reason =
          failure instanceof Failure.Limited || told != null
              ? Reason.Stopped.RATE_LIMITED
              : Reason.Stopped.NO_TIME_LEFT;
      String why =
          "a wait of %d ms does not fit the %d ms that are left; not slept"
              .formatted(wait.toMillis(), left.toMillis());
      return overOrInDoubt(reason, why, failed, number);
    }
    if (!budget.take()) {
      return overOrInDoubt(
          Reason.Stopped.RETRY_BUDGET_SPENT,
          "the run has used all of its " + budget.limit() + " retries",
          failed,
          number);
    }
    if (told != null) {
      circumstances = circumstances.havingWaitedAsTold();
    }
    return new Step<>(new Decision(Decision.Action.RETRY, wait, retryBecause(told, failure)), null);
  }

  private Reason.Stopped exhausted(Failure failure) {
    if (failure instanceof Failure.Limited) {
      return Reason.Stopped.RATE_LIMITED;
    }
    return failure instanceof Failure.TimedOut && plan.attempts() == 1
        ? Reason.Stopped.DEADLINE_EXCEEDED
        : Reason.Stopped.RETRIES_EXHAUSTED;
  }

  private @Nullable Outcome<T> sleep(Step<T> step, Reply.Failed<T> failed, int number) {
    Duration pause = step.decision().pause();
    try {
      time.sleep(pause == null ? Duration.ZERO : pause);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      budget.giveBack();
      return overOrInDoubt(
              Reason.Stopped.CANCELLED, "cancelled while waiting to try again", failed, number)
          .outcome();
    }
  }

  /** Ends the call for a reason of ours: as unknown if an attempt may have run. */
  private Step<T> overOrInDoubt(
      Reason.Stopped reason, String why, Reply.Failed<T> failed, int number) {
    Reason.Unknown doubt = circumstances.doubt();
    return end(
        doubt != null
            ? new Outcome.Unknown<>(doubt, failed.failure().detail(), number)
            : new Outcome.Stopped<>(
                reason, why + "; " + failed.failure().detail(), number, failed.answer()),
        why);
  }

  private Outcome<T> stopped(Reason.Stopped reason, Reply.Failed<T> failed, int number) {
    return new Outcome.Stopped<>(reason, failed.failure().detail(), number, failed.answer());
  }

  private Outcome<T> unknown(Reason.Unknown reason, Reply.Failed<T> failed, int number) {
    return new Outcome.Unknown<>(reason, failed.failure().detail(), number);
  }

  private static <T> Step<T> end(Outcome<T> outcome, String why) {
    Decision.Action action =
        switch (outcome) {
          case Outcome.Ok<T> _ -> Decision.Action.OK;
          case Outcome.Stopped<T> _ -> Decision.Action.STOP;
          case Outcome.Unknown<T> _ -> Decision.Action.UNKNOWN;
        };
    return new Step<>(new Decision(action, null, why), outcome);
  }

  private String unknownBecause(Failure failure) {
    String write =
        switch (plan.recognition()) {
          case NONE -> "a write without key or check may have happened, so it is not repeated";
          case KEY, CHECK -> "the write may have happened";
        };
    return write + ": " + failure.detail();
  }

  private String retryBecause(@Nullable Duration told, Failure failure) {
    if (told != null) {
      return "the provider named this wait";
    }
    return switch (failure) {
      case Failure.NotSent _ -> "it never arrived: " + failure.detail();
      case Failure.Limited _ -> "the provider said not now, without a time";
      default ->
          plan.effect() == Effect.READ
              ? "a read may be repeated: " + failure.detail()
              : "the repeat is recognised: " + failure.detail();
    };
  }
}
