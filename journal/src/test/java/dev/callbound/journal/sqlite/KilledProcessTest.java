package dev.callbound.journal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Interrupted;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import dev.callbound.journal.JournalReader;
import dev.callbound.policy.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills a real process that writes, and looks at what it left. */
class KilledProcessTest {
  private static final Ending SETTLED =
      Ending.without(
          Ending.Status.STOPPED, Reason.Stopped.DEADLINE_EXCEEDED, "looked it up", 1, Records.NOW);

  @TempDir Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killAll() {
    started.forEach(Process::destroyForcibly);
  }

  private Process start(Path file, long seed) throws IOException {
    Process process = ChildJvm.start(WritingProcess.class, file.toString(), Long.toString(seed));
    started.add(process);
    return process;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void whatWasOnDiskBeforeAKillIsThereAfterwardsAndNothingIsLeftOpen(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path file = folder.resolve("journal.db");
    for (int kill = 0; kill < 4; kill++) {
      Process process = start(file, random.nextLong());
      List<String> told = new ArrayList<>();
      // The instant is counted in records, so that it falls among writes on any machine.
      int instant = random.nextInt(1, 800);
      try (BufferedReader output = process.inputReader()) {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          told.add(line);
          if (told.size() == instant) {
            // Not Process.destroyForcibly(), which also closes the pipe and what is still in it.
            process.toHandle().destroyForcibly();
          }
        }
      }
      assertThat(process.waitFor()).isEqualTo(128 + 9);
      check(file, told);
    }
  }

  private static void check(Path file, List<String> told) {
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      List<String> resumed =
          journal.recovery().toResume().stream().map(each -> each.call().id()).toList();
      for (String line : told) {
        String id = line.substring(2);
        CallRecord call = journal.call(id).orElseThrow(() -> new AssertionError("lost: " + line));
        List<AttemptRecord> attempts = journal.attemptsOf(id);
        Ending ending = call.ending();
        assertThat(attempts).as(line).hasSize(1);
        switch (line.charAt(0)) {
          case 'B' -> assertThat(ending).as(line).isNotNull();
          case 'K' -> assertThat(ending != null || resumed.contains(id)).as(line).isTrue();
          case 'E' -> assertThat(ending).as(line).isEqualTo(Records.ok());
          case 'U' -> assertThat(ending).as(line).isIn(Records.unknown(), SETTLED);
          case 'S' -> assertThat(ending).as(line).isEqualTo(SETTLED);
          default -> throw new AssertionError(line);
        }
        boolean unknown = ending == null || ending.status() == Ending.Status.UNKNOWN;
        assertThat(journal.resend(id).isPresent())
            .as(line)
            .isEqualTo(call.key() != null && unknown);
        assertThat(attempts.getFirst().end() == null).as(line).isEqualTo(ending == null);
      }
      assertThat(journal.recovery().calls()).isLessThanOrEqualTo(WritingProcess.THREADS);
      journal.recovery().toResume().forEach(interrupted -> resume(journal, interrupted));
    }
  }

  private static void resume(SqliteJournal journal, Interrupted interrupted) {
    assertThat(interrupted.resend()).isEqualTo(WritingProcess.RESEND);
    assertThat(interrupted.amidAttempt()).isTrue();
    String id = interrupted.call().id();
    journal.endAttempt(id, 1, Records.ANSWERED, Durability.SOON);
    journal.endCall(id, Records.ok(), null, Durability.ON_DISK);
  }

  @Test
  void whileAnotherProcessWritesASecondIsRefusedAndAReaderIsNot() throws Exception {
    Path file = folder.resolve("journal.db");
    Process process = start(file, 1);
    try (BufferedReader output = process.inputReader()) {
      String first = output.readLine();
      assertThat(first).containsPattern("^[BK] ");
      JournalException refusal = refusal(file);
      assertThat(refusal.kind()).isEqualTo(Kind.IN_USE);
      assertThat(refusal).hasMessageContaining("(pid " + process.pid() + ")");
      try (JournalReader reader = SqliteJournal.openReadOnly(file)) {
        assertThat(reader.call(first.substring(2))).isPresent();
      }
      process.destroyForcibly().waitFor();
      // Nobody has ended what it left open; it can be read all the same.
      try (JournalReader reader = SqliteJournal.openReadOnly(file)) {
        assertThat(reader.call(first.substring(2))).isPresent();
      }
    }
    SqliteJournal.open(file, Records.CLOCK).close();
  }

  private static JournalException refusal(Path file) {
    try (SqliteJournal second = SqliteJournal.open(file, Records.CLOCK)) {
      throw new AssertionError("was not refused: " + second.recovery());
    } catch (JournalException e) {
      return e;
    }
  }
}
