package dev.callbound.journal.sqlite;

import static dev.callbound.journal.sqlite.Records.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.OpenedRun;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunRequest;
import dev.callbound.journal.RunState;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRequestsTest {
  private static final RunRequest FIRST = new RunRequest("k1", "[null]");

  @TempDir Path folder;
  private SqliteJournal journal;

  @BeforeEach
  void open() {
    journal = SqliteJournal.open(folder.resolve("journal.db"), Records.CLOCK);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  @Test
  void theSameKeyFindsTheFirstRunAndWhatItWasAskedForWith() {
    OpenedRun first = open(run("me", null), FIRST);
    assertThat(first.isNew()).isTrue();
    journal.endRun(first.run().id(), RunState.DONE, "it is over", NOW);

    OpenedRun again = open(run("me", null), new RunRequest("k1", "[\"other\"]"));

    assertThat(again.isNew()).isFalse();
    assertThat(again.run().id()).isEqualTo(first.run().id());
    assertThat(again.run().state()).isEqualTo(RunState.DONE);
    assertThat(again.request()).isEqualTo(FIRST);
  }

  @Test
  void aKeyIsItsPrincipals() {
    OpenedRun mine = open(run("me", null), FIRST);

    assertThat(open(run("you", null), FIRST).run().id()).isNotEqualTo(mine.run().id());
  }

  @Test
  void theKeyCountsBeforeTheName() {
    OpenedRun byKey = open(run("me", null), FIRST);
    OpenedRun byName = open(run("me", "nightly"), RunRequest.NONE);

    assertThat(open(run("me", "nightly"), FIRST).run().id()).isEqualTo(byKey.run().id());
    assertThat(open(run("me", "nightly"), new RunRequest("k2", "[]")).run().id())
        .isEqualTo(byName.run().id());
  }

  private OpenedRun open(RunRecord run, RunRequest request) {
    return journal.openRun(run, request, List.of());
  }

  private static RunRecord run(String principal, @Nullable String name) {
    return RunRecord.running(
        Records.IDS.run(), name, principal, "api", NOW, NOW.plusSeconds(60), 50);
  }
}
