package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Effect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommitTest {
  @TempDir Path folder;

  @Test
  void manyThreadsWriteAtOnceAndAReaderBesideThemNeverSeesAnAttemptWithoutItsCall()
      throws Exception {
    Path file = folder.resolve("journal.db");
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK);
        JournalReader reader = SqliteJournal.openReadOnly(file)) {
      RunRecord run = journal.openRun(Records.run());
      int threads = 300;
      int callsEach = 5;
      try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          Effect effect = i % 2 == 0 ? Effect.WRITE : Effect.READ;
          all.add(pool.submit(() -> calls(journal, reader, run, effect, callsEach)));
        }
        for (Future<?> one : all) {
          one.get();
        }
      }
      // A write that is waited for comes after everything handed in before it.
      journal.openCall(Records.call(run, Effect.READ), null, ON_DISK);
      assertThat(reader.outcomes(run.id()))
          .isEqualTo(new OutcomeCounts(threads * callsEach, 0, 0, 1));
      assertThat(journal.health().lost()).isZero();
      assertThat(journal.health().queued()).isZero();
    }
  }

  private static void calls(
      SqliteJournal journal, JournalReader reader, RunRecord run, Effect effect, int count) {
    for (int i = 0; i < count; i++) {
      CallRecord call = Records.call(run, effect);
      journal.openCall(call, null, SOON);
      journal.beginAttempt(call.id(), Records.attempt(1), effect == Effect.WRITE ? ON_DISK : SOON);
      if (effect == Effect.WRITE) {
        assertThat(reader.call(call.id())).contains(call);
        assertThat(reader.attemptsOf(call.id())).containsExactly(Records.attempt(1));
      }
      journal.endAttempt(call.id(), 1, Records.ANSWERED, SOON);
      journal.endCall(call.id(), Records.ok(), null, effect == Effect.WRITE ? ON_DISK : SOON);
    }
  }

  @Test
  void moreThanTheQueueHoldsIsWrittenAllTheSame() {
    try (SqliteJournal journal = SqliteJournal.open(folder.resolve("journal.db"), Records.CLOCK)) {
      RunRecord run = journal.openRun(Records.run());
      String large = "x".repeat(4 << 20);
      for (int i = 0; i < 20; i++) {
        String id = Records.IDS.call();
        journal.openCall(Records.call(id, run.id(), Effect.READ, large), null, SOON);
        journal.endCall(id, Records.ok(), null, SOON);
        assertThat(journal.health().queued()).isLessThan(20);
      }
      CallRecord last = Records.call(run, Effect.READ);
      journal.openCall(last, null, ON_DISK);

      assertThat(journal.outcomes(run.id())).isEqualTo(new OutcomeCounts(20, 0, 0, 1));
    }
  }

  @Test
  void anInterruptedCallStillRecordsItsEndAndStaysInterrupted() {
    try (SqliteJournal journal = SqliteJournal.open(folder.resolve("journal.db"), Records.CLOCK)) {
      RunRecord run = journal.openRun(Records.run());
      CallRecord call = Records.call(run, Effect.WRITE);
      journal.openCall(call, null, ON_DISK);

      Thread.currentThread().interrupt();
      journal.beginAttempt(call.id(), Records.attempt(1), SOON);
      journal.endAttempt(call.id(), 1, Records.ANSWERED, SOON);
      journal.endCall(call.id(), Records.ok(), null, ON_DISK);
      OutcomeCounts counts = journal.outcomes(run.id());
      boolean stillInterrupted = Thread.interrupted();

      assertThat(counts).isEqualTo(new OutcomeCounts(1, 0, 0, 0));
      assertThat(stillInterrupted).isTrue();
    }
  }
}
