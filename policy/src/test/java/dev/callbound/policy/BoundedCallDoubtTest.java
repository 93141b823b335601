package dev.callbound.policy;

import static dev.callbound.policy.Effect.READ;
import static dev.callbound.policy.Effect.WRITE;
import static dev.callbound.policy.Recognition.CHECK;
import static dev.callbound.policy.Recognition.KEY;
import static dev.callbound.policy.Recognition.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The loop and writes that may have happened. */
final class BoundedCallDoubtTest extends BoundedCallFixture {
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
          .isEqualTo(new Outcome.Unknown<>(Reason.Unknown.CONNECTION_LOST, "connection reset", 2));
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
}
