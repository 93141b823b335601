package dev.callbound.policy;

import static dev.callbound.policy.Effect.READ;
import static dev.callbound.policy.Effect.WRITE;
import static dev.callbound.policy.Recognition.KEY;
import static dev.callbound.policy.Recognition.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The loop and time: deadlines, waits, cancellation. */
final class BoundedCallTimeTest extends BoundedCallFixture {
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
      assertThat(journal.attempts())
          .extracting(RecordingJournal.Entry.Ended::waited)
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
          .containsExactly(tuple(Duration.ofMillis(1_500), Attempt.Limit.RUN));
    }

    @Test
    void aCallWhoseTimeIsOverIsNotBegun() {
      run = Duration.ZERO;
      upstream.answers(QUICK, "too late");

      assertThat(run(READ, NONE))
          .isEqualTo(stopped(Reason.Stopped.DEADLINE_EXCEEDED, "no time was left to begin", 0));
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
          .isEqualTo(stopped(Reason.Stopped.RATE_LIMITED, "429; it asks for a wait of 7000 ms", 2));
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
    void aWaitThatWouldEndAtTheDeadlineLeavesNoTimeForAnAttempt() {
      run = QUICK.plusSeconds(2);
      upstream.fails(QUICK, limited(Duration.ofSeconds(2)));

      assertThat(reason(run(READ, NONE))).isEqualTo(Reason.Stopped.RATE_LIMITED);
      assertThat(time.sleeps()).isEmpty();
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

  /** Time on a machine that was suspended: a sleep takes longer than asked. */
  private record OversleepingTime(SimulatedTime time, Duration longer) implements Time {
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
