package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.EventKind;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("journal.db");
  }

  @Test
  void everyChangeOfARunIsToldInOrder() {
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      RunRecord run = journal.openRun(Records.run("nightly", NOW.plusSeconds(60)));
      CallRecord call = Records.call(run, Effect.READ);
      journal.openCall(call, null, SOON);
      journal.beginAttempt(call.id(), Records.attempt(1), SOON);
      journal.endAttempt(
          call.id(),
          1,
          Records.failed(new Failure.NotSent("no route"), Decision.Action.RETRY),
          SOON);
      journal.beginAttempt(call.id(), Records.attempt(2), SOON);
      journal.endAttempt(call.id(), 2, Records.ANSWERED, SOON);
      journal.endCall(call.id(), Records.ok(), null, ON_DISK);
      journal.endRun(run.id(), RunState.DONE, "it is over", NOW.plusSeconds(1));

      assertThat(journal.eventsOf(run.id(), 0, 100))
          .extracting(EventsTest::told)
          .containsExactly(
              "1 run_opened {name=nightly}",
              "2 call_opened {call=C, server=tickets, tool=create, effect=read}"
                  .replace("C", call.id()),
              "3 attempt_ended {call=C, attempt=1, failure=not_sent, decision=retry, pause_ms=250}"
                  .replace("C", call.id()),
              "4 call_ended {call=C, server=tickets, tool=create, effect=read, status=ok, attempts=1}"
                  .replace("C", call.id()),
              "5 run_ended {state=done, because=it is over}");
      assertThat(journal.eventsOf(run.id(), 0, 100))
          .extracting(EventRecord::at)
          .containsExactly(NOW, NOW, NOW.plusMillis(3), NOW, NOW.plusSeconds(1));
    }
  }

  @Test
  void whoeverSettlesACallItIsTold() {
    RunRecord run;
    CallRecord call;
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      run = journal.openRun(Records.run());
      call = Records.call(run, Effect.WRITE);
      journal.openCall(call, null, SOON);
      journal.beginAttempt(call.id(), Records.attempt(1), ON_DISK);
      journal.endRun(run.id(), RunState.DONE, "it is over", NOW);
      journal.endCall(call.id(), Records.unknown(), null, ON_DISK);

      SqliteJournal.settleBeside(file, Records.settling(call.id(), Status.OK));

      assertThat(kinds(journal.eventsOf(run.id(), 2, 100)))
          .containsExactly(
              EventKind.RUN_ENDED,
              EventKind.CALL_ENDED,
              EventKind.RUN_CHANGED,
              EventKind.CALL_SETTLED,
              EventKind.RUN_CHANGED);
      assertThat(journal.eventsOf(run.id(), 6, 1).getFirst().data())
          .isEqualTo(Map.of("state", "done"));
    }
  }

  @Test
  void whatADeadProcessLeftOpenIsToldByTheNextOneAndNothingTwice() {
    RunRecord run;
    List<EventRecord> before;
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      run = journal.openRun(Records.run());
      CallRecord call = Records.call(run, Effect.WRITE);
      journal.openCall(call, null, SOON);
      journal.beginAttempt(call.id(), Records.attempt(1), ON_DISK);
      before = journal.eventsOf(run.id(), 0, 100);
    }
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      assertThat(kinds(journal.eventsOf(run.id(), before.getLast().number(), 100)))
          .containsExactly(EventKind.ATTEMPT_ENDED, EventKind.CALL_ENDED);
      assertThat(journal.eventsOf(run.id(), 0, 2)).isEqualTo(before);
    }
  }

  @Test
  void eventsGoWithTheirRun() {
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      RunRecord old = journal.openRun(Records.run());
      RunRecord young = journal.openRun(Records.run());
      journal.endRun(old.id(), RunState.DONE, "it is over", NOW);

      journal.purge(NOW.plusSeconds(1));

      assertThat(journal.eventsOf(old.id(), 0, 100)).isEmpty();
      assertThat(journal.eventsOf(young.id(), 0, 100)).hasSize(1);
    }
  }

  private static String told(EventRecord event) {
    return event.number() + " " + event.kind().code() + " " + event.data();
  }

  private static List<EventKind> kinds(List<EventRecord> events) {
    return events.stream().map(EventRecord::kind).toList();
  }
}
