package dev.callbound.journal.sqlite;

import static dev.callbound.journal.sqlite.Records.CLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.EventKind;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import dev.callbound.journal.RunState;
import dev.callbound.journal.SettleResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationTest {
  private static final String RUN =
      "INSERT INTO runs VALUES ('r_%s', NULL, 'local', 'c', '%s', 1, 2, 50, %s, %s);";

  private static final String CALL =
      """
      INSERT INTO calls VALUES ('c_%s', 'r_%s', NULL, 'tickets', 'create', 'write', 'default',
        'none', NULL, 'sha256:00', 1, %s, %s, %s, %s, 1, NULL, %s);
      """;

  @TempDir Path folder;
  private Path file;

  /** A file as version 1 of the tables was, with every kind of row that they could hold. */
  @BeforeEach
  void writeVersion1() throws Exception {
    file = Files.createFile(folder.resolve("journal.db"));
    try (Sql sql = new Connections(file).writing()) {
      sql.script(version1());
      sql.script(
          "PRAGMA journal_mode = DELETE; PRAGMA user_version = 1; PRAGMA application_id = "
              + Schema.APPLICATION_ID);
      sql.script(RUN.formatted("running", "running", "NULL", "NULL"));
      sql.script(RUN.formatted("done", "done", "3", "'its session ended'"));
      sql.script(RUN.formatted("late", "unknown", "3", "'its deadline passed'"));
      sql.script(RUN.formatted("left", "unknown", "3", "'no call for PT10M'"));
      sql.script(RUN.formatted("killed", "unknown", "3", "'wrong branch'"));
      sql.script(CALL.formatted("open", "running", "NULL", "NULL", "NULL", "NULL", "NULL"));
      sql.script(CALL.formatted("ok", "done", "3", "'ok'", "NULL", "''", "0"));
      for (String run : new String[] {"late", "left", "killed"}) {
        sql.script(CALL.formatted(run, run, "3", "'unknown'", "'timed_out'", "'no answer'", "0"));
      }
      sql.script("INSERT INTO payloads VALUES ('c_ok', '{\"a\":1}', '{\"b\":2}')");
      sql.script(
          "INSERT INTO attempts (call, number, run, timeout_ms, limited_by, started_at_ms)"
              + " VALUES ('c_open', 1, 'r_running', 30000, 'tool', 1)");
    }
  }

  private static String version1() throws IOException {
    try (InputStream script = Schema.class.getResourceAsStream("1.sql")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void whatVersion1HeldIsReadAndGoesOn() {
    try (SqliteJournal journal = SqliteJournal.open(file, CLOCK)) {
      CallRecord ok = journal.call("c_ok").orElseThrow();
      assertThat(ok.arguments()).isEqualTo("{\"a\":1}");
      assertThat(ok.follows()).isNull();
      assertThat(ok.settled()).isNull();
      // Its arguments were not kept, and nothing recognises a repeat of it.
      assertThat(journal.recovery().unknown()).isEqualTo(1);
      assertThat(journal.recovery().toResume()).isEmpty();
      assertThat(journal.unknowns(10)).hasSize(4);
      assertThat(journal.run("r_running").orElseThrow().state()).isEqualTo(RunState.UNKNOWN);
    }
    assertThat(stateOf("r_done")).isEqualTo(RunState.DONE);
  }

  @Test
  void aRunThatWasUnknownBecomesWhatItsEndTells() {
    try (SqliteJournal journal = SqliteJournal.open(file, CLOCK)) {
      for (String call : new String[] {"c_late", "c_left", "c_killed", "c_open"}) {
        assertThat(journal.settle(Records.settling(call, Status.OK)))
            .isEqualTo(SettleResult.SETTLED);
      }
    }
    assertThat(stateOf("r_late")).isEqualTo(RunState.EXPIRED);
    assertThat(stateOf("r_left")).isEqualTo(RunState.DONE);
    assertThat(stateOf("r_killed")).isEqualTo(RunState.CANCELLED);
    assertThat(stateOf("r_running")).isEqualTo(RunState.EXPIRED);
  }

  @Test
  void ofEarlierRunsTheBeginAndTheEndAreTold() {
    try (SqliteJournal journal = SqliteJournal.open(file, CLOCK)) {
      assertThat(journal.eventsOf("r_done", 0, 10))
          .extracting(EventRecord::kind)
          .containsExactly(EventKind.RUN_OPENED, EventKind.RUN_ENDED);
      // The call that was open is ended as this version begins.
      assertThat(journal.eventsOf("r_running", 0, 10))
          .extracting(EventRecord::kind)
          .startsWith(EventKind.RUN_OPENED)
          .contains(EventKind.CALL_ENDED, EventKind.RUN_ENDED);
    }
  }

  private RunState stateOf(String run) {
    try (var reader = SqliteJournal.openReadOnly(file)) {
      return reader.run(run).orElseThrow().state();
    }
  }

  @Test
  void onlyTheGatewayBringsAFileUpToDate() throws Exception {
    assertTooOld(() -> SqliteJournal.openReadOnly(file).close());
    assertTooOld(() -> SqliteJournal.settleBeside(file, Records.settling("c_late", Status.OK)));
    assertTooOld(() -> SqliteJournal.resetCircuitsBeside(file, null, null, "ann", CLOCK.instant()));
    assertThat(version()).isEqualTo(1);
    SqliteJournal.open(file, CLOCK).close();
    assertThat(version()).isEqualTo(Schema.VERSION);
  }

  private static void assertTooOld(ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_OLD))
        .hasMessageContaining("tables 1, this version needs " + Schema.VERSION)
        .hasMessageContaining("start the gateway once");
  }

  private long version() throws SQLException {
    try (Sql sql = new Connections(file).reading()) {
      return sql.number("PRAGMA user_version");
    }
  }
}
