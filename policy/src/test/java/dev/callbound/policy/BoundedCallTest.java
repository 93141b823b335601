package dev.callbound.policy;

import static dev.callbound.policy.Effect.READ;
import static dev.callbound.policy.Effect.WRITE;
import static dev.callbound.policy.Recognition.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.policy.testing.ScriptedUpstream;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loop, rule by rule. What each failure means is {@link ClassifierTest}'s business. */
final class BoundedCallTest extends BoundedCallFixture {
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
  final class Spend {
    private static final Money CENT = Money.parse("0.01");

    /** C33: money that is worth 20 attempts buys 20, whatever the calls would like. */
    @Test
    void manyCallsOfOneRunSpendNoMoreThanTheRunMay() {
      spend = SpendLimit.of(Money.parse("0.20"), Money.ZERO);
      price = CENT;
      budget = RetryBudget.of(1_000, 0);
      upstream.fails(QUICK, ERROR_500);

      Outcome<String> last = newCall(READ, NONE, upstream).run();
      for (int i = 0; i < 100; i++) {
        last = newCall(READ, NONE, upstream).run();
      }

      assertThat(upstream.attempts()).hasSize(20);
      assertThat(spend.spent()).isEqualTo(Money.parse("0.20"));
      assertThat(last)
          .isEqualTo(
              stopped(
                  Reason.Stopped.SPEND_EXHAUSTED,
                  "the run has spent 0.20 of the 0.20 that it may spend, and an attempt costs 0.01",
                  0));
    }

    @Test
    void moneyThatIsGoneEndsTheCallBeforeItsWaitAndTakesNoRetry() {
      spend = SpendLimit.of(CENT, Money.ZERO);
      price = CENT;
      upstream.fails(QUICK, ERROR_500);

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.SPEND_EXHAUSTED);
      assertThat(time.sleeps()).isEmpty();
      assertThat(budget.used()).isZero();
    }

    @Test
    void aRetryThatTheBudgetRefusesCostsNothing() {
      spend = SpendLimit.of(Money.parse("1"), Money.ZERO);
      price = CENT;
      budget = RetryBudget.of(1, 1);
      upstream.fails(QUICK, ERROR_500);

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.RETRY_BUDGET_SPENT);
      assertThat(spend.spent()).isEqualTo(CENT);
    }

    @Test
    void anAttemptThatNeverArrivedCostsNothing() {
      spend = SpendLimit.of(CENT, Money.ZERO);
      price = CENT;
      upstream.fails(QUICK, NOT_SENT).answers(QUICK, "result");

      assertThat(run(READ, NONE)).isEqualTo(new Outcome.Ok<>("result", 2));
      assertThat(spend.spent()).isEqualTo(CENT);
    }

    @Test
    void anAttemptThatIsTurnedAwayCostsNothing() {
      spend = SpendLimit.of(CENT, Money.ZERO);
      price = CENT;
      gate =
          _ -> new Gate.Admission.Refused(Reason.Stopped.CIRCUIT_OPEN, "it failed too often", null);

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.CIRCUIT_OPEN);
      assertThat(spend.spent()).isEqualTo(Money.ZERO);
    }

    @Test
    void aWriteInDoubtThatCanNotBePaidForAgainIsUnknown() {
      spend = SpendLimit.of(CENT, Money.ZERO);
      price = CENT;
      upstream.fails(QUICK, BROKEN);

      assertThat(reason(run(WRITE, Recognition.KEY))).isEqualTo(Reason.Unknown.CONNECTION_LOST);
      assertThat(upstream.attempts()).hasSize(1);
    }

    @Test
    void whatCostsNothingGoesOnWhenTheMoneyIsGone() {
      spend = SpendLimit.of(CENT, CENT);
      upstream.answers(QUICK, "result");

      assertThat(run(READ, NONE)).isEqualTo(new Outcome.Ok<>("result", 1));
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
                  Decision.retry(time.sleeps().getFirst(), "it never arrived: connection refused")),
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
}
