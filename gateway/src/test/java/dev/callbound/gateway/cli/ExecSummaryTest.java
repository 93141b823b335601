package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.cli.BoundedCommand.Cause;
import dev.callbound.gateway.cli.BoundedCommand.Ended;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Money;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecSummaryTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "ITSELF, 0, DONE, 0, true",
    "ITSELF, 3, DONE, 3, false",
    "ITSELF, 0, UNKNOWN, 75, false",
    "ITSELF, 3, UNKNOWN, 75, false",
    "DEADLINE, 143, EXPIRED, 124, false",
    "DEADLINE, 143, UNKNOWN, 124, false",
    "RUN_OVER, 143, CANCELLED, 143, false",
    "RUN_OVER, 0, CANCELLED, 0, false"
  })
  void whatMattersMostIsTheExitStatus(
      Cause cause, int status, RunState state, int expected, boolean allWell) {
    ExecSummary summary = summary(new Ended(status, cause), state, 0, 0);

    assertThat(summary.exitStatus()).isEqualTo(expected);
    assertThat(summary.isAllWell()).isEqualTo(allWell);
  }

  @Test
  void itHasTenLinesAtMost() {
    ExecSummary summary = summary(new Ended(0, Cause.ITSELF), RunState.UNKNOWN, 500, 20);

    assertThat(summary.lines(" --journal j.db"))
        .hasSizeLessThanOrEqualTo(10)
        .contains(
            "calls: 502: 2 ok, 500 unknown; 1 of 50 retries used; spent 0.12 of 0.50, 0.38 left",
            "in doubt: 497 more",
            "missing: file:/report: there is no such file",
            "missing: 18 more",
            "more: callbound show " + SampleJournal.RUN + " --journal j.db");
  }

  @Test
  void aRunThatCouldNotBeEndedIsSaidAndIsATrouble() {
    Ended ended = new Ended(0, Cause.ITSELF, "the gateway at http://g does not answer");
    ExecSummary summary = summary(ended, RunState.UNKNOWN, 500, 20);

    assertThat(summary.lines(""))
        .hasSizeLessThanOrEqualTo(10)
        .contains(
            "the run could not be ended: the gateway at http://g does not answer",
            "in doubt: 498 more");
    assertThat(summary(ended, RunState.DONE, 0, 0))
        .satisfies(
            done -> {
              assertThat(done.exitStatus()).isEqualTo(125);
              assertThat(done.isAllWell()).isFalse();
            });
    Ended late = new Ended(143, Cause.DEADLINE, "it does not answer");
    assertThat(summary(late, RunState.DONE, 0, 0).exitStatus()).isEqualTo(124);
  }

  @Test
  void whatIsMissingIsSaidAndTheStatusStaysTheCommands() {
    ExecSummary summary = summary(new Ended(0, Cause.ITSELF), RunState.DONE, 0, 1);

    assertThat(summary.exitStatus()).isZero();
    assertThat(summary.isAllWell()).isFalse();
  }

  private static ExecSummary summary(Ended ended, RunState state, int unknown, int missing) {
    RunRecord run =
        new RunRecord(
            SampleJournal.RUN,
            "nightly",
            "local",
            "exec agent",
            state,
            NOW,
            NOW.plusSeconds(60),
            50,
            1,
            Money.parse("0.50"),
            Money.parse("0.12"),
            NOW.plusSeconds(5),
            "because");
    return new ExecSummary(
        ended,
        new RunSummary(
            run,
            new OutcomeCounts(2, 0, unknown, 0),
            Collections.nCopies(
                missing,
                new OutputRecord(
                    run.id(), "file:/report", false, NOW, "there is no such file", true))),
        Collections.nCopies(unknown, call()),
        0);
  }

  private static CallRecord call() {
    return new CallRecord(
        SampleJournal.WRITE,
        SampleJournal.RUN,
        null,
        "github",
        "create_issue",
        Effect.WRITE,
        EffectSource.DEFAULT,
        Recognition.NONE,
        null,
        null,
        "sha256:00",
        null,
        NOW,
        Ending.without(
            Ending.Status.UNKNOWN, Reason.Unknown.TIMED_OUT, "no answer", 1, NOW.plusSeconds(1)),
        null);
  }
}
