package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.Interrupted;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.Replay;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settling;
import dev.callbound.journal.TaskRecord;
import dev.callbound.journal.TaskStore;
import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that go on without their client, and calls that wait for a person. */
class TasksTest {
  private static final Instant KEPT = NOW.plus(Duration.ofHours(26));
  private static final Replay RESULT = new Replay("{\"content\":[]}", false);
  private static final AttemptEnd NOT_SENT =
      Records.failed(new Failure.NotSent("refused"), Action.RETRY);
  private static final AttemptEnd BROKEN =
      Records.failed(new Failure.Broken("reset"), Action.RETRY);
  private static final AttemptEnd REFUSED =
      Records.failed(new Failure.Refused(403, "no"), Action.STOP);

  @TempDir Path folder;

  private SqliteJournal open(Instant now) {
    return SqliteJournal.open(folder.resolve("journal.db"), InstantSource.fixed(now));
  }

  private static CallRecord opened(SqliteJournal journal, Effect effect) {
    CallRecord call = Records.call(journal.openRun(Records.run()), effect);
    journal.openCall(call, null, SOON);
    return call;
  }

  @Test
  void aTaskIsOfTheRunsPrincipalAndTheFirstDetachingCounts() {
    try (SqliteJournal journal = open(NOW)) {
      CallRecord call = opened(journal, Effect.READ);
      TaskStore tasks = journal.tasks();
      tasks.detach(call.id(), NOW, KEPT, "{\"name\":\"create\"}");
      tasks.detach(call.id(), NOW.plusSeconds(9), KEPT.plusSeconds(9), null);
      tasks.cancelled(call.id(), NOW.plusSeconds(1));
      tasks.cancelled(call.id(), NOW.plusSeconds(2));

      assertThat(tasks.task(call.id()))
          .contains(new TaskRecord(call.id(), "local", NOW, KEPT, NOW.plusSeconds(1), null));
      assertThat(journal.resend(call.id())).contains("{\"name\":\"create\"}");
      assertThat(tasks.tasks("local", null, 10)).hasSize(1);
      assertThat(tasks.tasks("local", call.id(), 10)).isEmpty();
      assertThat(tasks.tasks("another", null, 10)).isEmpty();
      journal.endCall(call.id(), Records.ok(), RESULT, ON_DISK);
      assertThat(journal.resend(call.id())).isEmpty();
      assertThat(journal.replay(call.id())).contains(RESULT);
    }
  }

  @Test
  void aCallThatWasNeverRecordedIsNotDetached() {
    try (SqliteJournal journal = open(NOW)) {
      assertThatThrownBy(() -> journal.tasks().detach(Records.IDS.call(), NOW, KEPT, null))
          .isInstanceOf(JournalException.class);
    }
  }

  /** Only what is kept for the task alone goes with it. */
  @Test
  void whatNobodyCanAskForIsForgotten() {
    try (SqliteJournal journal = open(NOW)) {
      RunRecord run = journal.openRun(Records.run());
      CallRecord read = Records.call(run, Effect.READ);
      CallRecord keyed = Records.keyed(run, Recognition.KEY, null, "key");
      CallRecord open = Records.call(run, Effect.READ);
      for (CallRecord call : List.of(read, keyed, open)) {
        journal.openCall(call, null, SOON);
        journal.tasks().detach(call.id(), NOW, KEPT, null);
      }
      journal.endCall(read.id(), Records.ok(), RESULT, ON_DISK);
      journal.endCall(keyed.id(), Records.ok(), RESULT, ON_DISK);

      assertThat(journal.tasks().forget(KEPT)).isZero();
      assertThat(journal.tasks().forget(KEPT.plusMillis(1))).isEqualTo(2);
      assertThat(journal.tasks().task(read.id())).isEmpty();
      assertThat(journal.replay(read.id())).isEmpty();
      assertThat(journal.replay(keyed.id())).contains(RESULT);
      assertThat(journal.call(read.id())).isPresent();
      assertThat(journal.tasks().task(open.id())).as("it has not ended").isPresent();
    }
  }

  /** A late answer is kept for whoever comes back, and for nobody else. */
  @Test
  void aLateResultIsKeptWhereSomebodyMayAskForIt() {
    try (SqliteJournal journal = open(NOW)) {
      RunRecord run = journal.openRun(Records.run());
      CallRecord detached = Records.call(run, Effect.WRITE);
      CallRecord other = Records.call(run, Effect.WRITE);
      for (CallRecord call : List.of(detached, other)) {
        journal.openCall(call, null, SOON);
      }
      journal.tasks().detach(detached.id(), NOW, KEPT, null);
      for (CallRecord call : List.of(detached, other)) {
        journal.endCall(call.id(), Records.unknown(), null, ON_DISK);
        journal.settle(
            Settling.happened(
                call.id(),
                "late",
                SettledBy.LATE_ANSWER,
                "tool",
                NOW,
                RESULT,
                "sha256:1",
                2,
                null));
      }

      assertThat(journal.replay(detached.id())).contains(RESULT);
      assertThat(journal.replay(other.id())).isEmpty();
    }
  }

  static Stream<Arguments> attempts() {
    return Stream.of(
        arguments(Effect.READ, List.of(), null),
        arguments(Effect.READ, List.of(open()), null),
        arguments(Effect.READ, List.of(ended(BROKEN)), null),
        // Its answer died with the process.
        arguments(Effect.READ, List.of(ended(Records.ANSWERED)), null),
        arguments(Effect.READ, List.of(ended(REFUSED)), Status.STOPPED),
        arguments(Effect.WRITE, List.of(), null),
        arguments(Effect.WRITE, List.of(ended(NOT_SENT)), null),
        arguments(Effect.WRITE, List.of(open()), Status.UNKNOWN),
        arguments(Effect.WRITE, List.of(ended(NOT_SENT), open()), Status.UNKNOWN),
        arguments(Effect.WRITE, List.of(ended(BROKEN)), Status.UNKNOWN),
        arguments(Effect.WRITE, List.of(ended(Records.ANSWERED)), Status.OK));
  }

  /** An attempt that has begun, and how it ended. */
  record Begun(@Nullable AttemptEnd end) {}

  private static Begun open() {
    return new Begun(null);
  }

  private static Begun ended(AttemptEnd end) {
    return new Begun(end);
  }

  @ParameterizedTest(name = "{0} with {1} ends {2}")
  @MethodSource("attempts")
  void aDetachedCallGoesOnUnlessItCouldDoSomethingTwice(
      Effect effect, List<Begun> attempts, @Nullable Status ends) {
    CallRecord call;
    try (SqliteJournal journal = open(NOW)) {
      call = opened(journal, effect);
      int number = 0;
      for (Begun attempt : attempts) {
        journal.beginAttempt(call.id(), Records.attempt(++number), SOON);
        if (attempt.end() != null) {
          journal.endAttempt(call.id(), number, attempt.end(), SOON);
        }
      }
      journal.tasks().detach(call.id(), NOW, KEPT, "{}");
    }

    try (SqliteJournal journal = open(NOW.plusSeconds(60))) {
      assertThat(journal.recovery().toResume())
          .extracting(Interrupted::call)
          .hasSize(ends == null ? 1 : 0);
      assertThat(journal.recovery().toResume()).allMatch(left -> left.doubt() == null);
      Ending ending = journal.call(call.id()).orElseThrow().ending();
      assertThat(ending == null ? null : ending.status()).isEqualTo(ends);
    }
  }

  @Test
  void itDoesNotGoOnWithoutItsParametersOrPastItsRun() {
    CallRecord without;
    CallRecord late;
    try (SqliteJournal journal = open(NOW)) {
      without = opened(journal, Effect.READ);
      journal.tasks().detach(without.id(), NOW, KEPT, null);
      RunRecord run = journal.openRun(Records.run(null, NOW.plusSeconds(30)));
      late = Records.call(run, Effect.READ);
      journal.openCall(late, null, SOON);
      journal.tasks().detach(late.id(), NOW, KEPT, "{}");
    }

    try (SqliteJournal journal = open(NOW.plusSeconds(60))) {
      assertThat(journal.recovery().toResume()).isEmpty();
      assertThat(journal.recovery().stopped()).isEqualTo(2);
    }
  }

  @Test
  void theFirstRulingStandsFromWhateverProcess() {
    try (SqliteJournal journal = open(NOW)) {
      CallRecord call = opened(journal, Effect.WRITE);
      TaskStore tasks = journal.tasks();
      ApprovalRecord asked =
          new ApprovalRecord(call.id(), NOW, NOW.plusSeconds(60), "{\"a\":\"***\"}", true, null);
      tasks.ask(asked, KEPT, "{}");
      assertThat(tasks.waiting(10)).containsExactly(asked);
      assertThat(tasks.task(call.id())).as("it is detached").isPresent();
      assertThat(tasks.ruled()).isEmpty();

      Ruling denied = new Ruling(Ruling.Kind.DENIED, NOW.plusSeconds(5), "ana", "no");
      Path file = folder.resolve("journal.db");
      assertThat(SqliteJournal.ruleBeside(file, call.id(), denied)).isEqualTo(Ruling.Result.RULED);
      assertThat(tasks.rule(call.id(), denied)).isEqualTo(Ruling.Result.ALREADY);
      assertThat(tasks.rule(call.id(), new Ruling(Ruling.Kind.APPROVED, NOW, "ben", null)))
          .isEqualTo(Ruling.Result.CONTRADICTED);
      assertThat(tasks.ruled()).containsExactly(call.id());
      assertThat(tasks.waiting(10)).isEmpty();
      assertThat(tasks.approval(call.id()).orElseThrow().ruling()).isEqualTo(denied);
    }
  }

  /** Also where no gateway was there to notice: it must not be made by the next. */
  @Test
  void whatNobodyRuledOnInTimeHasLapsed() {
    try (SqliteJournal journal = open(NOW)) {
      TaskStore tasks = journal.tasks();
      CallRecord call = opened(journal, Effect.WRITE);
      Instant until = NOW.plusSeconds(60);
      tasks.ask(new ApprovalRecord(call.id(), NOW, until, "{}", false, null), KEPT, null);
      Ruling late = new Ruling(Ruling.Kind.APPROVED, until, "ana", null);

      assertThat(tasks.rule(call.id(), late)).isEqualTo(Ruling.Result.TOO_LATE);
      assertThat(tasks.approval(call.id()).orElseThrow().ruling()).isNull();

      Ruling lapsed = new Ruling(Ruling.Kind.LAPSED, until.plusSeconds(1), "gateway", null);
      assertThat(tasks.rule(call.id(), lapsed)).isEqualTo(Ruling.Result.RULED);
      assertThat(tasks.rule(call.id(), late)).isEqualTo(Ruling.Result.TOO_LATE);
    }
  }

  @Test
  void ofTwoWhoRuleAtOnceOneIsToldThatTheOtherWasFirst() throws Exception {
    try (SqliteJournal journal = open(NOW);
        ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
      TaskStore tasks = journal.tasks();
      for (int i = 0; i < 10; i++) {
        CallRecord call = opened(journal, Effect.WRITE);
        tasks.ask(
            new ApprovalRecord(call.id(), NOW, NOW.plusSeconds(60), "{}", false, null), KEPT, null);
        CyclicBarrier together = new CyclicBarrier(2);
        Ruling yes = new Ruling(Ruling.Kind.APPROVED, NOW, "ana", null);
        Ruling no = new Ruling(Ruling.Kind.DENIED, NOW, "ben", null);
        Path file = folder.resolve("journal.db");

        Future<Ruling.Result> here =
            people.submit(
                () -> {
                  together.await();
                  return tasks.rule(call.id(), yes);
                });
        Future<Ruling.Result> beside =
            people.submit(
                () -> {
                  together.await();
                  return SqliteJournal.ruleBeside(file, call.id(), no);
                });

        assertThat(List.of(here.get(), beside.get()))
            .containsExactlyInAnyOrder(Ruling.Result.RULED, Ruling.Result.CONTRADICTED);
        assertThat(tasks.approval(call.id()).orElseThrow().ruling())
            .isEqualTo(here.get() == Ruling.Result.RULED ? yes : no);
      }
    }
  }

  @Test
  void aRulingNeedsACallThatWaits() {
    try (SqliteJournal journal = open(NOW)) {
      TaskStore tasks = journal.tasks();
      Ruling approved = new Ruling(Ruling.Kind.APPROVED, NOW, "ana", null);
      CallRecord call = opened(journal, Effect.WRITE);
      assertThat(tasks.rule(Records.IDS.call(), approved)).isEqualTo(Ruling.Result.NO_SUCH_CALL);
      assertThat(tasks.rule(call.id(), approved)).isEqualTo(Ruling.Result.NOT_ASKED);
      tasks.ask(
          new ApprovalRecord(call.id(), NOW, NOW.plusSeconds(60), "{}", false, null), KEPT, null);
      journal.endCall(call.id(), Records.unknown(), null, ON_DISK);
      assertThat(tasks.rule(call.id(), approved)).isEqualTo(Ruling.Result.OVER);
    }
  }
}
