package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.ANSWERED;
import static dev.callbound.journal.sqlite.Records.NOW;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Recovery;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecovererTest {
  private static final Instant LATER = NOW.plus(Duration.ofMinutes(5));

  @TempDir Path folder;

  private SqliteJournal open(Instant now) {
    return SqliteJournal.open(folder.resolve("journal.db"), InstantSource.fixed(now));
  }

  /** An attempt that has begun: how it ended, or that it had not. */
  record Begun(@Nullable AttemptEnd end) {}

  private static final Begun OPEN = new Begun(null);

  private static Begun ended(Failure failure, Action action) {
    return new Begun(Records.failed(failure, action));
  }

  static Stream<Arguments> table() {
    Begun notSent = ended(new Failure.NotSent("connection refused"), Action.RETRY);
    Begun timedOut =
        ended(
            new Failure.TimedOut(Duration.ofSeconds(30), Failure.TimedOut.Timer.DEADLINE),
            Action.UNKNOWN);
    Begun mayHaveRun =
        ended(
            new Failure.TimedOut(Duration.ofSeconds(30), Failure.TimedOut.Timer.DEADLINE),
            Action.RETRY);
    Begun refused = ended(new Failure.Refused(403, "HTTP 403"), Action.STOP);
    Begun toolError = ended(new Failure.ToolError(null, null), Action.STOP);
    Begun answered = new Begun(ANSWERED);
    Reason cancelled = Reason.Stopped.CANCELLED;
    Reason died = Reason.Unknown.WORKER_DIED;
    return Stream.of(
        arguments(Effect.READ, List.of(), Status.STOPPED, cancelled),
        arguments(Effect.READ, List.of(OPEN), Status.STOPPED, cancelled),
        arguments(Effect.READ, List.of(answered), Status.STOPPED, cancelled),
        arguments(Effect.READ, List.of(mayHaveRun, OPEN), Status.STOPPED, cancelled),
        arguments(Effect.WRITE, List.of(), Status.STOPPED, cancelled),
        arguments(Effect.WRITE, List.of(OPEN), Status.UNKNOWN, died),
        arguments(Effect.WRITE, List.of(notSent), Status.STOPPED, cancelled),
        arguments(Effect.WRITE, List.of(notSent, OPEN), Status.UNKNOWN, died),
        arguments(Effect.WRITE, List.of(timedOut), Status.UNKNOWN, died),
        arguments(Effect.WRITE, List.of(mayHaveRun, refused), Status.UNKNOWN, died),
        arguments(Effect.WRITE, List.of(mayHaveRun, toolError), Status.UNKNOWN, died),
        arguments(Effect.WRITE, List.of(refused), Status.STOPPED, Reason.Stopped.REFUSED),
        arguments(
            Effect.WRITE, List.of(notSent, toolError), Status.STOPPED, Reason.Stopped.TOOL_ERROR),
        arguments(Effect.WRITE, List.of(answered), Status.OK, null));
  }

  @ParameterizedTest(name = "{0} with {1} ends {2}: {3}")
  @MethodSource("table")
  void aCallLeftOpenEndsAsItsAttemptsTell(
      Effect effect, List<Begun> attempts, Status status, @Nullable Reason reason) {
    CallRecord call;
    try (SqliteJournal dying = open(NOW)) {
      call = Records.call(dying.openRun(Records.run()), effect);
      dying.openCall(call, null, SOON);
      for (int number = 1; number <= attempts.size(); number++) {
        dying.beginAttempt(call.id(), Records.attempt(number), ON_DISK);
        AttemptEnd end = attempts.get(number - 1).end();
        if (end != null) {
          dying.endAttempt(call.id(), number, end, ON_DISK);
        }
      }
    }
    try (SqliteJournal journal = open(LATER)) {
      Ending ending = requireNonNull(journal.call(call.id()).orElseThrow().ending());
      assertThat(ending.status()).isEqualTo(status);
      assertThat(ending.reason()).isEqualTo(reason);
      assertThat(ending.attempts()).isEqualTo(attempts.size());
      assertThat(ending.endedAt()).isEqualTo(LATER);
      assertThat(ending.detail()).contains("the process died");
      assertThat(journal.attemptsOf(call.id())).extracting(AttemptRecord::end).doesNotContainNull();
      assertThat(journal.recovery().calls()).isEqualTo(1);
    }
  }

  @Test
  void anAttemptLeftOpenEndsWithItsWorkersDeath() {
    CallRecord call;
    try (SqliteJournal dying = open(NOW)) {
      call = Records.call(dying.openRun(Records.run()), Effect.WRITE);
      dying.openCall(call, null, SOON);
      dying.beginAttempt(call.id(), Records.attempt(1), ON_DISK);
    }
    try (SqliteJournal journal = open(LATER)) {
      assertThat(journal.attemptsOf(call.id()).getFirst().end())
          .isEqualTo(
              new AttemptEnd(
                  null,
                  FailureRecord.of(new Failure.WorkerDied()),
                  new Decision(Action.UNKNOWN, null, "the write may have happened"),
                  Evidence.NONE));
      assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 1, List.of(), 0));
    }
  }

  @Test
  void aRunGoesOnUntilItsDeadline() {
    RunRecord run;
    try (SqliteJournal dying = open(NOW)) {
      run = dying.openRun(Records.run("nightly", LATER));
    }
    try (SqliteJournal journal = open(LATER.minusMillis(1))) {
      assertThat(journal.run(run.id())).contains(run);
      assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 0, List.of(), 0));
    }
    try (SqliteJournal journal = open(LATER)) {
      RunRecord expired = journal.run(run.id()).orElseThrow();
      assertThat(expired.state()).isEqualTo(RunState.EXPIRED);
      assertThat(expired.endedAt()).isEqualTo(LATER);
      assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 0, List.of(), 1));
    }
  }

  @Test
  void aRunPastItsDeadlineWithAnUnknownCallEndsUnknown() {
    RunRecord run;
    RunRecord over;
    try (SqliteJournal dying = open(NOW)) {
      run = dying.openRun(Records.run("nightly", LATER));
      over = dying.openRun(Records.run());
      for (RunRecord each : List.of(run, over)) {
        CallRecord call = Records.call(each, Effect.WRITE);
        dying.openCall(call, null, SOON);
        dying.beginAttempt(call.id(), Records.attempt(1), ON_DISK);
      }
      over = dying.endRun(over.id(), RunState.CANCELLED, "the operator did", NOW);
    }
    try (SqliteJournal journal = open(LATER)) {
      assertThat(over.state()).isEqualTo(RunState.CANCELLED);
      assertThat(journal.runs(Set.of(RunState.UNKNOWN), 10))
          .extracting(RunRecord::id)
          .containsExactly(over.id(), run.id());
      assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 2, List.of(), 1));
    }
  }
}
