package dev.callbound.policy;

import static dev.callbound.policy.Effect.READ;
import static dev.callbound.policy.Effect.WRITE;
import static dev.callbound.policy.Recognition.CHECK;
import static dev.callbound.policy.Recognition.KEY;
import static dev.callbound.policy.Recognition.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.callbound.policy.testing.ScriptedUpstream;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The loop, rule by rule. What each failure means is {@link ClassifierTest}'s business. */
final class BoundedCallTest {
  private static final Duration TOOL = Duration.ofSeconds(1);
  private static final Duration BASE = Backoff.STANDARD.base();
  private static final Duration QUICK = Duration.ofMillis(10);
  private static final Failure REFUSED = new Failure.Refused(403, "403 Forbidden");
  private static final Failure NOT_SENT = new Failure.NotSent("connection refused");
  private static final Failure BROKEN = new Failure.Broken("connection reset");
  private static final Failure ERROR_500 = new Failure.ServerError(500, "500");

  private final SimulatedTime time = new SimulatedTime(Long.MAX_VALUE - 12_345);
  private final ScriptedUpstream<String> upstream = new ScriptedUpstream<>(time);
  private final RecordingJournal journal = new RecordingJournal();
  private RetryBudget budget = RetryBudget.of(50, 0);
  private Duration tool = TOOL;
  private Duration call = Duration.ofHours(1);
  private Duration run = Duration.ofHours(2);
  private int attempts = 3;
  private long begun;

  @BeforeEach
  void begin() {
    begun = time.nanos();
  }

  @AfterEach
  void clearInterruptFlag() {
    Thread.interrupted();
  }

  @Nested
  final class Answers {
    @Test
    void theToolsOwnResultIsPassedOnAsItIs() {
      @SuppressWarnings("StringOperationCanBeSimplified") // An instance of its own is the point.
      String result = new String("result");
      upstream.answers(QUICK, result);

      Outcome<String> outcome = run(WRITE, NONE);

      assertThat(outcome).isEqualTo(new Outcome.Ok<>("result", 1));
      assertThat(((Outcome.Ok<String>) outcome).result()).isSameAs(result);
      assertThat(time.sleeps()).isEmpty();
      assertThat(budget.used()).isZero();
    }

    @Test
    void aToolsOwnErrorIsPassedOnAsItIsAndNotRepeated() {
      upstream.replies(QUICK, new Reply.Failed<>(Failure.ToolError.PLAIN, "no such page"));

      assertThat(run(READ, NONE))
          .isEqualTo(
              new Outcome.Stopped<>(
                  Reason.Stopped.TOOL_ERROR, "the tool reported an error", 1, "no such page"));
    }

    @Test
    void aRetryThatSucceedsIsOkAndCountsItsAttempts() {
      upstream.fails(QUICK, BROKEN).fails(QUICK, NOT_SENT).answers(QUICK, "result");

      assertThat(run(READ, NONE)).isEqualTo(new Outcome.Ok<>("result", 3));
      assertThat(budget.used()).isEqualTo(2);
    }
  }

  @Nested
  final class Deadlines {
    /** C01: a tool call that never comes back. */
    @Test
    void aReadThatHangsEndsAfterItsAttemptsAndEachWaitedItsDeadline() {
      upstream.hangs();

      Outcome<String> outcome = run(READ, NONE);

      assertThat(outcome)
          .isEqualTo(
              stopped(
                  Reason.Stopped.RETRIES_EXHAUSTED,
                  "attempt 3 was the last; no answer within 1000 ms",
                  3));
      assertThat(journal.attempts()).extracting(RecordingJournal.Entry.Ended::waited)
          .containsExactly(TOOL, TOOL, TOOL);
      assertThat(elapsed()).isEqualTo(TOOL.multipliedBy(3).plus(slept()));
    }

    @Test
    void aSingleAttemptThatTimesOutIsADeadlineExceeded() {
      attempts = 1;
      upstream.hangs();

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.DEADLINE_EXCEEDED);
    }

    /** C02: the limit that was set for the tool counts. */
    @Test
    void aSlowToolMayTakeTheTimeThatWasSetForIt() {
      tool = Duration.ofSeconds(4);
      upstream.answers(Duration.ofMillis(2_500), "slow");

      assertThat(run(READ, NONE)).isEqualTo(new Outcome.Ok<>("slow", 1));
    }

    /** C02, second run: cut by the run. */
    @Test
    void anAttemptIsCutByTheRunAndNoSecondOneBegins() {
      tool = Duration.ofSeconds(4);
      run = Duration.ofMillis(1_500);
      upstream.answers(Duration.ofMillis(2_500), "slow");

      assertThat(run(READ, NONE))
          .isEqualTo(
              stopped(
                  Reason.Stopped.DEADLINE_EXCEEDED,
                  "the deadline has passed; no answer within 1500 ms",
                  1));
      assertThat(elapsed()).isEqualTo(run);
      assertThat(upstream.attempts())
          .extracting(Attempt::timeout, Attempt::limitedBy)
          .containsExactly(
              tuple(
                  Duration.ofMillis(1_500), Attempt.Limit.RUN));
    }

    @Test
    void aCallWhoseTimeIsOverIsNotBegun() {
      run = Duration.ZERO;
      upstream.answers(QUICK, "too late");

      assertThat(run(READ, NONE))
          .isEqualTo(
              stopped(Reason.Stopped.DEADLINE_EXCEEDED, "no time was left to begin", 0));
      assertThat(upstream.attempts()).isEmpty();
      assertThat(journal.entries()).hasSize(1);
    }

    @Test
    void aWaitThatDoesNotFitTheRunIsNotBegun() {
      run = QUICK.plus(BASE);
      upstream.fails(QUICK, NOT_SENT);

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.NO_TIME_LEFT);
      assertThat(time.sleeps()).isEmpty();
      assertThat(elapsed()).isEqualTo(QUICK);
      assertThat(budget.used()).isZero();
    }

    @Test
    void aSleepThatOvershootsTheDeadlineBeginsNoAttempt() {
      run = Duration.ofSeconds(2);
      upstream.fails(QUICK, NOT_SENT);
      var oversleeping = new OversleepingTime(time, Duration.ofSeconds(5));

      Outcome<String> outcome = newCall(READ, NONE, oversleeping).run();

      assertThat(outcome)
          .isEqualTo(
              stopped(
                  Reason.Stopped.DEADLINE_EXCEEDED,
                  "the deadline passed during the wait; connection refused",
                  1));
      assertThat(upstream.attempts()).hasSize(1);
      assertThat(budget.used()).isZero();
    }
  }

  @Nested
  final class Waits {
    /** C24: wait as told, then succeed; a 429 proves that a write was not executed. */
    @ParameterizedTest
    @EnumSource(Effect.class)
    void theTimeThatTheProviderNamedIsKeptExactly(Effect effect) {
      upstream.fails(QUICK, limited(Duration.ofSeconds(2))).answers(QUICK, "result");

      assertThat(run(effect, NONE)).isEqualTo(new Outcome.Ok<>("result", 2));
      assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(2));
      assertThat(journal.decisions().getFirst())
          .isEqualTo(Decision.retry(Duration.ofSeconds(2), "the provider named this wait"));
    }

    /** C24, second part. */
    @Test
    void limitedTwiceStopsWithTheLatestHint() {
      upstream
          .fails(QUICK, limited(Duration.ofSeconds(2)))
          .fails(QUICK, limited(Duration.ofSeconds(7)));

      assertThat(run(READ, NONE))
          .isEqualTo(
              stopped(Reason.Stopped.RATE_LIMITED, "429; it asks for a wait of 7000 ms", 2));
      assertThat(time.sleeps()).hasSize(1);
    }

    /** C25: rubbish names no wait, so the wire reports none. */
    @Test
    void limitedWithoutATimeBacksOffAndNeverBelowTheBase() {
      upstream.fails(QUICK, limited(null));

      assertThat(run(READ, NONE))
          .isEqualTo(stopped(Reason.Stopped.RATE_LIMITED, "attempt 3 was the last; 429", 3));
      assertThat(time.sleeps())
          .hasSize(2)
          .allSatisfy(wait -> assertThat(wait).isBetween(BASE, BASE.multipliedBy(4)));
    }

    /** C27: the wait itself would eat the run. */
    @ParameterizedTest
    @ValueSource(longs = {10, 3_600, 315_360_000})
    void aNamedWaitThatDoesNotFitIsToldAtOnceAndNotSlept(long seconds) {
      run = Duration.ofSeconds(10);
      upstream.fails(QUICK, limited(Duration.ofSeconds(seconds)));

      Outcome<String> outcome = run(READ, NONE);

      assertThat(outcome)
          .isEqualTo(
              stopped(
                  Reason.Stopped.RATE_LIMITED,
                  "a wait of %1$d000 ms does not fit the 9990 ms that are left, so it was not begun; 429; it asks for a wait of %1$d000 ms"
                      .formatted(seconds),
                  1));
      assertThat(time.sleeps()).isEmpty();
      assertThat(elapsed()).isEqualTo(QUICK);
      assertThat(budget.used()).isZero();
    }

    @Test
    void theLastAttemptNeverPaysForABackoff() {
      attempts = 2;
      upstream.fails(QUICK, NOT_SENT);

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.RETRIES_EXHAUSTED);
      assertThat(time.sleeps()).hasSize(1);
      assertThat(budget.used()).isEqualTo(1);
    }

    @Test
    void aBackoffGrows() {
      attempts = 6;
      upstream.fails(QUICK, NOT_SENT);
      run(READ, NONE);

      for (int retry = 1; retry < 6; retry++) {
        assertThat(time.sleeps().get(retry - 1)).isBetween(BASE, BASE.multipliedBy(1L << retry));
      }
    }
  }

  @Nested
  final class Texts {
    /** C26: a limit that is only in the text of a 200. */
    @Test
    void aReadThatIsLimitedInItsTextWaitsAsTold() {
      upstream
          .replies(
              QUICK, new Reply.Failed<>(new Failure.ToolError(429, Duration.ofSeconds(3)), "slow"))
          .answers(QUICK, "result");

      assertThat(run(READ, NONE)).isEqualTo(new Outcome.Ok<>("result", 2));
      assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(3));
    }

    @Test
    void aReadThatIsLimitedInItsTextToTheEndSaysSoInTheToolsOwnWords() {
      upstream.replies(QUICK, new Reply.Failed<>(new Failure.ToolError(429, null), "slow down"));

      assertThat(run(READ, NONE))
          .isEqualTo(
              new Outcome.Stopped<>(
                  Reason.Stopped.RATE_LIMITED,
                  "attempt 3 was the last; the tool reported an error that wraps status 429",
                  3,
                  "slow down"));
    }

    @Test
    void aRefusalInATextIsFinal() {
      upstream.replies(QUICK, new Reply.Failed<>(new Failure.ToolError(401, null), "log in"));

      assertThat(run(READ, NONE))
          .isEqualTo(
              new Outcome.Stopped<>(
                  Reason.Stopped.REFUSED,
                  "the tool reported an error that wraps status 401",
                  1,
                  "log in"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 429, 500, 503})
    void aWriteIsNeverRepeatedOnAText(int status) {
      for (Recognition recognition : Recognition.values()) {
        var once = new ScriptedUpstream<String>(time);
        once.replies(
            QUICK,
            new Reply.Failed<>(new Failure.ToolError(status, Duration.ofSeconds(1)), "sorry"));
        Outcome<String> outcome = newCall(WRITE, recognition, once).run();

        assertThat(once.attempts()).hasSize(1);
        assertThat(outcome instanceof Outcome.Unknown).isEqualTo(status >= 500);
      }
    }
  }

  @Nested
  final class Refusals {
    /** C29: one clear refusal. */
    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 422, -32602})
    void aRefusalIsFinalOnTheFirstAnswer(int code) {
      upstream.fails(QUICK, new Failure.Refused(code, "refused with " + code));

      assertThat(run(READ, NONE))
          .isEqualTo(stopped(Reason.Stopped.REFUSED, "refused with " + code, 1));
      assertThat(time.sleeps()).isEmpty();
      assertThat(budget.used()).isZero();
    }
  }

  @Nested
  final class Doubt {
    /** C07: the create that "timed out" had been done. */
    @Test
    void aWriteWithoutKeyThatTimesOutIsUnknownAndNotRepeated() {
      upstream.hangs();

      assertThat(run(WRITE, NONE))
          .isEqualTo(
              new Outcome.Unknown<>(Reason.Unknown.TIMED_OUT, "no answer within 1000 ms", 1));
      assertThat(journal.decisions())
          .containsExactly(
              new Decision(
                  Decision.Action.UNKNOWN,
                  null,
                  "a write without key or check may have happened, so it is not repeated: "
                      + "no answer within 1000 ms"));
    }

    @Test
    void aWriteThatNeverArrivedIsRepeatedUntilItMayHave() {
      upstream.fails(QUICK, NOT_SENT).fails(QUICK, BROKEN);

      assertThat(run(WRITE, NONE))
          .isEqualTo(
              new Outcome.Unknown<>(Reason.Unknown.CONNECTION_LOST, "connection reset", 2));
    }

    @Test
    void aWriteThatNeverArrivedIsStopped() {
      upstream.fails(QUICK, NOT_SENT);

      assertThat(reason(run(WRITE, NONE))).isEqualTo(Reason.Stopped.RETRIES_EXHAUSTED);
    }

    @Test
    void aLaterRefusalDoesNotUndoAnEarlierWrite() {
      upstream.fails(QUICK, BROKEN).fails(QUICK, REFUSED);

      assertThat(run(WRITE, KEY))
          .isEqualTo(
              new Outcome.Unknown<>(
                  Reason.Unknown.CONNECTION_LOST,
                  "an earlier attempt may have run; the last one: 403 Forbidden",
                  2));
    }

    @Test
    void aKeyedWriteThatRunsOutOfAttemptsIsUnknown() {
      upstream.fails(QUICK, ERROR_500).fails(QUICK, NOT_SENT).fails(QUICK, NOT_SENT);

      assertThat(run(WRITE, KEY))
          .isEqualTo(
              new Outcome.Unknown<>(
                  Reason.Unknown.SERVER_ERROR,
                  "attempt 3 was the last; an earlier attempt may have run; "
                      + "the last one: connection refused",
                  3));
    }

    @Test
    void aKeyedWriteThatRunsOutOfTimeIsUnknown() {
      call = TOOL.plus(QUICK);
      upstream.hangs();

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.TIMED_OUT);
      assertThat(time.sleeps()).isEmpty();
    }

    @Test
    void aKeyedWriteThatRunsOutOfTheRunsRetriesIsUnknown() {
      budget = RetryBudget.of(3, 3);
      upstream.fails(QUICK, BROKEN);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.CONNECTION_LOST);
    }

    @Test
    void aKeyedWriteWhoseRepeatIsAnsweredIsOk() {
      upstream.fails(QUICK, BROKEN).answers(QUICK, "the first one's result");

      assertThat(run(WRITE, KEY)).isEqualTo(new Outcome.Ok<>("the first one's result", 2));
    }

    @Test
    void aReadIsNeverUnknown() {
      upstream.fails(QUICK, BROKEN).fails(QUICK, REFUSED);

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.REFUSED);
    }
  }

  @Nested
  final class Checks {
    @Test
    void anEffectThatTheCheckFindsIsOk() {
      upstream.fails(QUICK, BROKEN).finds(new Finding.Landed<>("found"));

      assertThat(run(WRITE, CHECK)).isEqualTo(new Outcome.Ok<>("found", 1));
      assertThat(journal.decisions().getFirst().action()).isEqualTo(Decision.Action.OK);
    }

    @Test
    void anEffectThatIsNotThereIsSentAgain() {
      upstream.fails(QUICK, BROKEN).answers(QUICK, "result").finds(new Finding.Absent<>());

      assertThat(run(WRITE, CHECK)).isEqualTo(new Outcome.Ok<>("result", 2));
      assertThat(journal.decisions().getFirst().why()).isEqualTo("the check found no effect");
    }

    @Test
    void absenceRemovesTheDoubt() {
      upstream.fails(QUICK, BROKEN).fails(QUICK, REFUSED).finds(new Finding.Absent<>());

      assertThat(reason(run(WRITE, CHECK))).isEqualTo(Reason.Stopped.REFUSED);
    }

    @Test
    void noClearAnswerIsUnknown() {
      upstream.fails(QUICK, BROKEN).finds(new Finding.Unclear<>("the list is incomplete"));

      assertThat(run(WRITE, CHECK))
          .isEqualTo(
              new Outcome.Unknown<>(Reason.Unknown.CHECK_FAILED, "the list is incomplete", 1));
    }

    @Test
    void theLastAttemptIsAskedAboutToo() {
      attempts = 1;
      upstream.fails(QUICK, BROKEN).finds(new Finding.Landed<>("found"));

      assertThat(run(WRITE, CHECK)).isEqualTo(new Outcome.Ok<>("found", 1));
    }

    @Test
    void nothingIsAskedWhenNoTimeIsLeft() {
      call = TOOL;
      upstream.hangs().finds(new Finding.Landed<>("never asked"));

      assertThat(reason(run(WRITE, CHECK))).isEqualTo(Reason.Unknown.TIMED_OUT);
    }
  }

  @Nested
  final class Budgets {
    /** C33: a loop that burns the budget. */
    @Test
    void manyCallsOfOneRunMakeNoMoreRetriesThanTheRunHas() {
      budget = RetryBudget.of(50, 47);
      upstream.fails(QUICK, ERROR_500);

      for (int i = 0; i < 100; i++) {
        newCall(READ, NONE, upstream).run();
      }

      assertThat(upstream.attempts()).hasSize(100 + 3);
      assertThat(budget.left()).isZero();
    }

    @Test
    void aSpentBudgetEndsTheCallBeforeItsWait() {
      budget = RetryBudget.of(1, 1);
      upstream.fails(QUICK, ERROR_500);

      assertThat(run(READ, NONE))
          .isEqualTo(
              stopped(
                  Reason.Stopped.RETRY_BUDGET_SPENT,
                  "the run has used all of its 1 retries; 500",
                  1));
      assertThat(time.sleeps()).isEmpty();
    }
  }

  @Nested
  final class Cancellation {
    @Test
    void duringABackoffItEndsTheCallAtOnceAndGivesTheRetryBack() {
      upstream.fails(QUICK, NOT_SENT);
      time.after(QUICK.plusMillis(100), time::cancel);

      assertThat(run(WRITE, NONE))
          .isEqualTo(
              stopped(
                  Reason.Stopped.CANCELLED,
                  "cancelled while waiting to try again; connection refused",
                  1));
      assertThat(elapsed()).isEqualTo(QUICK.plusMillis(100));
      assertThat(upstream.attempts()).hasSize(1);
      assertThat(budget.used()).isZero();
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void duringABackoffAKeyedWriteStaysInDoubt() {
      upstream.fails(QUICK, BROKEN);
      time.after(QUICK.plusMillis(100), time::cancel);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.CONNECTION_LOST);
      assertThat(budget.used()).isZero();
    }

    @Test
    void inFlightItLeavesAWriteUnknown() {
      upstream.hangs();
      time.after(Duration.ofMillis(300), time::cancel);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.CANCELLED_IN_FLIGHT);
      assertThat(elapsed()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void inFlightItStopsARead() {
      upstream.hangs();
      time.after(Duration.ofMillis(300), time::cancel);

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.CANCELLED);
    }

    @Test
    void beforeTheFirstByteItStopsAWrite() {
      upstream.answers(QUICK, "never sent");
      time.cancel();

      assertThat(reason(run(WRITE, NONE))).isEqualTo(Reason.Stopped.CANCELLED);
    }
  }

  @Nested
  final class Records {
    @Test
    void anAttemptIsRecordedBeforeItIsSentAndTheOutcomeLast() {
      upstream.fails(QUICK, NOT_SENT).answers(QUICK, "result");

      Outcome<String> outcome = newCall(WRITE, NONE, noting(upstream)).run();

      Attempt first = upstream.attempts().get(0);
      Attempt second = upstream.attempts().get(1);
      assertThat(journal.entries())
          .containsExactly(
              new RecordingJournal.Entry.Begun(first),
              new RecordingJournal.Entry.Sent(1),
              new RecordingJournal.Entry.Ended(
                  first,
                  QUICK,
                  NOT_SENT,
                  Decision.retry(
                      time.sleeps().getFirst(), "it never arrived: connection refused")),
              new RecordingJournal.Entry.Begun(second),
              new RecordingJournal.Entry.Sent(2),
              new RecordingJournal.Entry.Ended(second, QUICK, null, Decision.ANSWERED),
              new RecordingJournal.Entry.Over(outcome));
    }

    @Test
    void nothingIsSentThatCouldNotBeRecorded() {
      upstream.answers(QUICK, "never sent");
      journal.leaveRoomFor(0);

      assertThatThrownBy(() -> run(WRITE, NONE)).isInstanceOf(RecordingJournal.DiskFull.class);
      assertThat(upstream.attempts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void whenTheRecordFailsMidwayNothingMoreIsSentAndNothingIsAnswered(int room) {
      upstream.fails(QUICK, NOT_SENT).answers(QUICK, "result");
      journal.leaveRoomFor(room);

      assertThatThrownBy(() -> run(WRITE, NONE)).isInstanceOf(RecordingJournal.DiskFull.class);
      assertThat(upstream.attempts()).hasSize(room < 3 ? 1 : 2);
      assertThat(journal.entries()).hasSize(room);
    }

    @Test
    void aCancelledCallIsRecordedToo() {
      upstream.fails(QUICK, NOT_SENT);
      time.after(QUICK, time::cancel);

      Outcome<String> outcome = run(WRITE, NONE);
      assertThat(journal.outcome()).isSameAs(outcome);
    }
  }

  private Outcome<String> run(Effect effect, Recognition recognition) {
    Outcome<String> outcome = newCall(effect, recognition, upstream).run();
    assertThat(journal.outcome()).isSameAs(outcome);
    return outcome;
  }

  private BoundedCall<String> newCall(
      Effect effect, Recognition recognition, Upstream<String> tried) {
    return newCall(effect, recognition, tried, time);
  }

  private BoundedCall<String> newCall(
      Effect effect, Recognition recognition, Time passing) {
    return newCall(effect, recognition, upstream, passing);
  }

  private BoundedCall<String> newCall(
      Effect effect,
      Recognition recognition,
      Upstream<String> tried,
      Time passing) {
    var plan =
        new Plan(
            effect,
            recognition,
            tool,
            Deadline.after(call, time),
            Deadline.after(run, time),
            attempts);
    return new BoundedCall<>(
        plan, tried, journal, budget, Backoff.STANDARD, passing, new SplittableRandom(1));
  }

  private Upstream<String> noting(Upstream<String> tried) {
    return new Upstream<>() {
      @Override
      public Reply<String> attempt(Attempt attempt) {
        journal.sent(attempt);
        return tried.attempt(attempt);
      }

      @Override
      public Finding<String> check(Deadline by) {
        return tried.check(by);
      }
    };
  }

  private Duration elapsed() {
    return Duration.ofNanos(time.nanos() - begun);
  }

  private Duration slept() {
    return time.sleeps().stream().reduce(Duration.ZERO, Duration::plus);
  }

  private static Failure limited(@Nullable Duration retryAfter) {
    return new Failure.Limited(retryAfter, "429");
  }

  private static Outcome<String> stopped(Reason.Stopped reason, String detail, int attempts) {
    return new Outcome.Stopped<>(reason, detail, attempts, null);
  }

  private static Reason reason(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Ok<String> ok -> throw new AssertionError("no reason: " + ok);
      case Outcome.Stopped<String> stopped -> stopped.reason();
      case Outcome.Unknown<String> unknown -> unknown.reason();
    };
  }

  /** Time on a machine that was suspended: a sleep takes longer than asked. */
  private record OversleepingTime(SimulatedTime time, Duration longer)
      implements Time {
    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public void sleep(Duration wait) throws InterruptedException {
      time.sleep(wait.plus(longer));
    }
  }
}
