package dev.callbound.journal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import dev.callbound.journal.JournalReader;
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
  @TempDir Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killAll() {
    started.forEach(Process::destroyForcibly);
  }

  private Process start(Path file, long seed) throws IOException {
    Process process =
        ChildJvm.start(WritingProcess.class, file.toString(), Long.toString(seed));
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
      for (String line : told) {
        String id = line.substring(2);
        CallRecord call = journal.call(id).orElseThrow(() -> new AssertionError("lost: " + line));
        List<AttemptRecord> attempts = journal.attemptsOf(id);
        Ending ending = call.ending();
        assertThat(ending).as(line).isNotNull();
        assertThat(attempts).as(line).hasSize(1);
        assertThat(attempts.getFirst().end()).as(line).isNotNull();
        if (line.startsWith("E ")) {
          assertThat(ending).as(line).isEqualTo(Records.ok());
        }
      }
      assertThat(journal.recovery().calls()).isLessThanOrEqualTo(WritingProcess.THREADS);
    }
  }

  @Test
  void whileAnotherProcessWritesASecondIsRefusedAndAReaderIsNot() throws Exception {
    Path file = folder.resolve("journal.db");
    Process process = start(file, 1);
    try (BufferedReader output = process.inputReader()) {
      String first = output.readLine();
      assertThat(first).startsWith("B ");
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
