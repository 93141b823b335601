package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFilesTest {
  @TempDir Path folder;

  @Test
  void filesBesideTheFirstAreNumberedFromTwo() {
    assertThat(JournalFiles.numbered(Path.of("a/callbound.db"), 1))
        .isEqualTo(Path.of("a/callbound.db"));
    assertThat(JournalFiles.numbered(Path.of("a/callbound.db"), 2))
        .isEqualTo(Path.of("a/callbound-2.db"));
    assertThat(JournalFiles.numbered(Path.of("record"), 3)).isEqualTo(Path.of("record-3"));
  }

  @Test
  void journalsBesideEachOtherAreReadAsOne() {
    Path first = folder.resolve("callbound.db");
    List<RunRecord> runs = new ArrayList<>();
    Ids ids = new Ids(InstantSource.system());
    for (int number = 1; number <= 3; number++) {
      try (JournalStore journal =
          SqliteJournal.open(JournalFiles.numbered(first, number), InstantSource.system())) {
        Instant now = Instant.now();
        runs.add(
            journal.openRun(
                RunRecord.running(ids.run(), null, "local", "c", now, now.plusSeconds(60), 5)));
      }
    }
    assertThat(JournalFiles.existing(first)).hasSize(3);
    List<JournalReader> readers =
        JournalFiles.existing(first).stream().map(SqliteJournal::openReadOnly).toList();
    try (JournalReader together = new SeveralJournals(readers)) {
      assertThat(together.runs(EnumSet.allOf(RunState.class), 2))
          .containsExactly(runs.get(2), runs.get(1));
      assertThat(together.run(runs.getFirst().id())).contains(runs.getFirst());
      assertThat(together.idsBeginning("r_0", 10)).hasSize(3);
    }
  }
}
