package dev.callbound.policy;

import static dev.callbound.policy.Effect.READ;
import static dev.callbound.policy.Effect.WRITE;
import static dev.callbound.policy.Recognition.CHECK;
import static dev.callbound.policy.Recognition.KEY;
import static dev.callbound.policy.Recognition.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that another process began, that follow one which ended unknown, or whose key is old. */
final class BoundedCallPastTest extends BoundedCallFixture {
  private static final Reason.Unknown DOUBT = Reason.Unknown.GARBLED_ANSWER;
  private static final Failure DIED = new Failure.WorkerDied();

  @Nested
  final class Following {
    @Test
    void aKeyedWriteIsSentAtOnceAndItsResultIsTheFirstOnes() {
      past = Past.unknown(DOUBT);
      upstream.answers(QUICK, "the first one's result");

      assertThat(run(WRITE, KEY)).isEqualTo(new Outcome.Ok<>("the first one's result", 1));
      assertThat(budget.used()).isZero();
      assertThat(time.sleeps()).isEmpty();
    }

    @Test
    void aKeyedWriteThatIsRefusedNowInheritsTheDoubt() {
      past = Past.unknown(DOUBT);
      upstream.fails(QUICK, REFUSED);

      assertThat(run(WRITE, KEY))
          .isEqualTo(
              new Outcome.Unknown<>(
                  DOUBT, "an earlier attempt may have run; the last one: 403 Forbidden", 1));
    }

    @Test
    void aKeyConflictInDoubtIsUnknown() {
      past = Past.unknown(DOUBT);
      upstream.fails(QUICK, new Failure.KeyConflict("other arguments"));

      assertThat(reason(run(WRITE, KEY))).isEqualTo(DOUBT);
    }

    @Test
    void aKeyedWriteHasAttemptsOfItsOwn() {
      past = Past.unknown(DOUBT);
      upstream.fails(QUICK, NOT_SENT).fails(QUICK, NOT_SENT).answers(QUICK, "result");

      assertThat(run(WRITE, KEY)).isEqualTo(new Outcome.Ok<>("result", 3));
      assertThat(budget.used()).isEqualTo(2);
    }

    @Test
    void aCheckThatFindsTheEffectIsOkWithoutAnAttempt() {
      past = Past.unknown(DOUBT);
      upstream.finds(new Finding.Landed<>("found"));

      assertThat(run(WRITE, CHECK)).isEqualTo(new Outcome.Ok<>("found", 0));
      assertThat(upstream.attempts()).isEmpty();
    }

    @Test
    void aCheckThatFindsNothingRemovesTheDoubtAndTheWriteIsSent() {
      past = Past.unknown(DOUBT);
      upstream.finds(new Finding.Absent<>()).fails(QUICK, REFUSED);

      assertThat(run(WRITE, CHECK)).isEqualTo(stopped(Reason.Stopped.REFUSED, "403 Forbidden", 1));
      assertThat(budget.used()).isZero();
    }

    @Test
    void aCheckWithoutAClearAnswerIsUnknownWithoutAnAttempt() {
      past = Past.unknown(DOUBT);
      upstream.finds(new Finding.Unclear<>("the list is incomplete"));

      assertThat(run(WRITE, CHECK))
          .isEqualTo(
              new Outcome.Unknown<>(Reason.Unknown.CHECK_FAILED, "the list is incomplete", 0));
    }

    @Test
    void aCheckThatUsesTheTimeUpLeavesNoneToBegin() {
      past = Past.unknown(DOUBT);
      Upstream<String> slow =
          new Upstream<>() {
            @Override
            public Reply<String> attempt(Attempt attempt) {
              throw new AssertionError("begun too late: " + attempt);
            }

            @Override
            public Finding<String> check(Deadline by) {
              time.advance(by.left(time));
              return new Finding.Absent<>();
            }
          };

      assertThat(newCall(WRITE, CHECK, slow).run())
          .isEqualTo(stopped(Reason.Stopped.DEADLINE_EXCEEDED, "no time was left to begin", 0));
    }

    @Test
    void nothingIsSentWhereNothingCanBeAsked() {
      past = Past.unknown(DOUBT);

      assertThat(run(WRITE, NONE))
          .isEqualTo(
              new Outcome.Unknown<>(
                  DOUBT,
                  "a write without key or check may have happened, so it is not repeated: "
                      + "an earlier attempt may have run",
                  0));
    }

    @ParameterizedTest
    @EnumSource
    void withoutTimeTheDoubtStays(Recognition recognition) {
      past = Past.unknown(DOUBT);
      run = Duration.ZERO;

      assertThat(run(WRITE, recognition))
          .isEqualTo(
              new Outcome.Unknown<>(
                  DOUBT, "no time was left to begin; an earlier attempt may have run", 0));
    }
  }

  @Nested
  final class TakenUp {
    @Test
    void aKeyedWriteGoesToTheFifthQuestionAndOn() {
      past = Past.died(1, null, false, DIED);
      upstream.answers(QUICK, "result");

      assertThat(run(WRITE, KEY)).isEqualTo(new Outcome.Ok<>("result", 2));
      assertThat(upstream.attempts().getFirst().number()).isEqualTo(2);
      assertThat(budget.used()).isEqualTo(1);
      assertThat(journal.entries().getFirst())
          .isEqualTo(
              new RecordingJournal.Entry.TakenUp(
                  1,
                  DIED,
                  Decision.retry(
                      time.sleeps().getFirst(),
                      "the tool recognises a repeat by its key: " + DIED.detail())));
    }

    @Test
    void theDeathLeavesADoubtThatStays() {
      past = Past.died(1, null, false, DIED);
      upstream.fails(QUICK, REFUSED);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.WORKER_DIED);
    }

    @Test
    void theEarlierDoubtIsTheOneThatStays() {
      past = Past.died(2, DOUBT, false, DIED);
      upstream.fails(QUICK, REFUSED);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(DOUBT);
    }

    @Test
    void aCheckableWriteIsAskedAboutFirst() {
      past = Past.died(1, null, false, DIED);
      upstream.finds(new Finding.Landed<>("found"));

      assertThat(run(WRITE, CHECK)).isEqualTo(new Outcome.Ok<>("found", 1));
      assertThat(journal.entries().getFirst())
          .isEqualTo(
              new RecordingJournal.Entry.TakenUp(
                  1, DIED, new Decision(Decision.Action.OK, null, "the check found the effect")));
    }

    @Test
    void aWriteThatNothingRecognisesIsUnknown() {
      past = Past.died(1, null, false, DIED);

      assertThat(run(WRITE, NONE))
          .isEqualTo(new Outcome.Unknown<>(Reason.Unknown.WORKER_DIED, DIED.detail(), 1));
      assertThat(upstream.attempts()).isEmpty();
    }

    @Test
    void aReadIsTriedAgain() {
      past = Past.died(1, null, false, DIED);
      upstream.answers(QUICK, "result");

      assertThat(run(READ, NONE)).isEqualTo(new Outcome.Ok<>("result", 2));
    }

    @Test
    void theAttemptsOfTheDeadProcessCount() {
      past = Past.died(3, null, false, DIED);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.WORKER_DIED);
      assertThat(upstream.attempts()).isEmpty();
    }

    @Test
    void aWaitThatTheProviderNamedIsGrantedOnceInAllProcesses() {
      past = Past.died(1, null, true, new Failure.NotSent("connection refused"));
      upstream.fails(QUICK, limited(Duration.ofSeconds(2)));

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Stopped.RATE_LIMITED);
      assertThat(upstream.attempts()).hasSize(1);
    }

    @Test
    void theDeadlineStillHolds() {
      past = Past.died(1, null, false, DIED);
      run = Duration.ZERO;
      upstream.finds(new Finding.Landed<>("never asked"));

      for (Recognition recognition : Recognition.values()) {
        assertThat(reason(newCall(WRITE, recognition, upstream).run()))
            .isEqualTo(Reason.Unknown.WORKER_DIED);
      }
      assertThat(upstream.attempts()).isEmpty();
    }
  }

  @Nested
  final class DiedInTheWait {
    @Test
    void theNextAttemptIsARetryAndIsPaidFor() {
      past = Past.died(1, null, false, null);
      upstream.answers(QUICK, "result");

      assertThat(run(WRITE, KEY)).isEqualTo(new Outcome.Ok<>("result", 2));
      assertThat(budget.used()).isEqualTo(1);
      assertThat(time.sleeps()).hasSize(1);
    }

    @Test
    void withoutAnAttemptLeftOrARetryItEndsWithWhatIsKnown() {
      for (Reason.@Nullable Unknown doubt : new Reason.@Nullable Unknown[] {null, DOUBT}) {
        Reason lastAttempt = doubt == null ? Reason.Stopped.RETRIES_EXHAUSTED : doubt;
        past = Past.died(3, doubt, false, null);
        assertThat(reason(newCall(WRITE, KEY, upstream).run())).isEqualTo(lastAttempt);

        Reason noRetry = doubt == null ? Reason.Stopped.RETRY_BUDGET_SPENT : doubt;
        budget = RetryBudget.of(1, 1);
        past = Past.died(1, doubt, false, null);
        assertThat(reason(newCall(WRITE, KEY, upstream).run())).isEqualTo(noRetry);
      }
      assertThat(upstream.attempts()).isEmpty();
    }

    @Test
    void aCheckableWriteInDoubtIsAskedAboutFirst() {
      past = Past.died(1, DOUBT, false, null);
      upstream.finds(new Finding.Absent<>()).answers(QUICK, "result");

      assertThat(run(WRITE, CHECK)).isEqualTo(new Outcome.Ok<>("result", 2));
      assertThat(budget.used()).isEqualTo(1);
    }

    @Test
    void aCancelledWaitGivesTheRetryBack() {
      past = Past.died(1, DOUBT, false, null);
      time.cancel();

      assertThat(run(WRITE, KEY))
          .isEqualTo(
              new Outcome.Unknown<>(
                  DOUBT,
                  "cancelled while waiting to try again; an earlier attempt may have run",
                  1));
      assertThat(budget.used()).isZero();
    }

    @Test
    void beforeItsFirstAttemptItRunsAsIfNothingHadHappened() {
      past = Past.died(0, null, false, null);
      upstream.answers(QUICK, "result");

      assertThat(run(WRITE, NONE)).isEqualTo(new Outcome.Ok<>("result", 1));
      assertThat(budget.used()).isZero();
    }
  }

  @Nested
  final class ForgottenKeys {
    @Test
    void aDoubtfulWriteIsNotRepeatedUnderAKeyThatIsForgottenByThen() {
      keyFor = TOOL;
      upstream.hangs();

      assertThat(run(WRITE, KEY))
          .isEqualTo(
              new Outcome.Unknown<>(Reason.Unknown.TIMED_OUT, "no answer within 1000 ms", 1));
      assertThat(journal.decisions().getFirst().why())
          .isEqualTo(
              "the provider has forgotten the key, so the write is not repeated: "
                  + "no answer within 1000 ms");
    }

    @Test
    void aWaitThatWouldEndAfterTheKeyIsForgottenIsNotBegun() {
      keyFor = QUICK.plus(BASE);
      upstream.fails(QUICK, BROKEN);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.CONNECTION_LOST);
      assertThat(time.sleeps()).isEmpty();
      assertThat(budget.used()).isZero();
    }

    @Test
    void aNamedWaitThatWouldEndAfterTheKeyIsForgottenIsNotBegun() {
      past = Past.unknown(DOUBT);
      keyFor = Duration.ofSeconds(10);
      upstream.fails(QUICK, limited(Duration.ofSeconds(10)));

      assertThat(reason(run(WRITE, KEY))).isEqualTo(DOUBT);
      assertThat(time.sleeps()).isEmpty();
    }

    @Test
    void aSleepThatTookTooLongIsNotFollowedByARepeat() {
      keyFor = QUICK.plus(BASE.multipliedBy(3));
      upstream.fails(QUICK, BROKEN);
      Time oversleeping =
          new Time() {
            @Override
            public long nanos() {
              return time.nanos();
            }

            @Override
            public void sleep(Duration wait) throws InterruptedException {
              time.sleep(wait.plusSeconds(5));
            }
          };

      assertThat(newCall(WRITE, KEY, oversleeping).run())
          .isEqualTo(
              new Outcome.Unknown<>(
                  Reason.Unknown.CONNECTION_LOST,
                  "the provider forgot the key during the wait; connection reset",
                  1));
      assertThat(budget.used()).isZero();
    }

    @Test
    void whatNeverArrivedIsSentAgainAllTheSame() {
      keyFor = QUICK;
      upstream.fails(QUICK, NOT_SENT).answers(QUICK, "result");

      assertThat(run(WRITE, KEY)).isEqualTo(new Outcome.Ok<>("result", 2));
    }

    @Test
    void whatNeverArrivedDoesNotMakeAnEarlierAttemptRepeatable() {
      keyFor = TOOL.plus(BASE.multipliedBy(2));
      upstream.fails(QUICK, BROKEN).fails(TOOL.minusMillis(1), NOT_SENT);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.CONNECTION_LOST);
      assertThat(upstream.attempts()).hasSize(2);
    }

    @Test
    void aCallThatFollowsIsNotSentUnderIt() {
      keyFor = Duration.ZERO;
      past = Past.unknown(DOUBT);

      assertThat(run(WRITE, KEY))
          .isEqualTo(
              new Outcome.Unknown<>(
                  DOUBT,
                  "the provider has forgotten the key, so the write is not repeated: "
                      + "an earlier attempt may have run",
                  0));
    }

    @Test
    void aCallThatIsTakenUpIsNotSentUnderIt() {
      keyFor = Duration.ZERO;
      past = Past.died(1, null, false, DIED);

      assertThat(reason(run(WRITE, KEY))).isEqualTo(Reason.Unknown.WORKER_DIED);
      assertThat(upstream.attempts()).isEmpty();
    }
  }

  @Test
  void aKeyConflictOfAFirstAttemptIsStopped() {
    upstream.fails(QUICK, new Failure.KeyConflict("the key was used with other arguments"));

    assertThat(run(WRITE, KEY))
        .isEqualTo(
            stopped(Reason.Stopped.KEY_CONFLICT, "the key was used with other arguments", 1));
  }
}
