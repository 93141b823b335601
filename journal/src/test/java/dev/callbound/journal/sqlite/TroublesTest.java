package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.CLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Effect;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person is told when the file can't be used. Each message names the file and a remedy. */
class TroublesTest {
  @TempDir Path folder;

  private static JournalException failure(Runnable doing) {
    JournalException failure = catchThrowableOfType(JournalException.class, doing::run);
    assertThat(failure).isNotNull();
    return failure;
  }

  private JournalException refusal(Path file) {
    JournalException refusal = failure(() -> SqliteJournal.open(file, CLOCK).close());
    assertThat(refusal).hasMessageStartingWith("journal " + file + ": ");
    return refusal;
  }

  private static void execute(Path file, String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Test
  void missingFoldersAreMadeForTheOwnerAlone() throws Exception {
    Path file = folder.resolve("a/b c?d%20/journal.db");
    SqliteJournal.open(file, CLOCK).close();

    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
    try (JournalReader reader = SqliteJournal.openReadOnly(file)) {
      assertThat(reader.unknowns(1)).isEmpty();
    }
  }

  private static String permissions(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aSecondWriterIsRefusedAlsoThroughALinkAndToldWhoHasIt() throws Exception {
    Path file = folder.resolve("journal.db");
    Path link = folder.resolve("link.db");
    try (SqliteJournal first = SqliteJournal.open(file, CLOCK)) {
      Files.createSymbolicLink(link, file);

      for (Path path : new Path[] {file, link}) {
        JournalException refusal = refusal(path);
        assertThat(refusal.kind()).isEqualTo(Kind.IN_USE);
        assertThat(refusal)
            .hasMessageContaining("(pid " + ProcessHandle.current().pid() + ")")
            .hasMessageContaining("stop that one");
      }
      first.openRun(Records.run());
    }
    SqliteJournal.open(link, CLOCK).close();
  }

  @Test
  void aMissingFileCanNotBeRead() {
    Path file = folder.resolve("journal.db");

    assertThat(failure(() -> SqliteJournal.openReadOnly(file)).kind()).isEqualTo(Kind.MISSING);
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileOfAnotherKindIsLeftAsItIs() throws Exception {
    Path text = Files.writeString(folder.resolve("notes.txt"), "Dear diary, ".repeat(100));
    Path foreign = folder.resolve("foreign.db");
    execute(foreign, "CREATE TABLE mine (a INTEGER)");
    byte[] before = Files.readAllBytes(foreign);

    assertThat(refusal(text).kind()).isEqualTo(Kind.DAMAGED);
    assertThat(refusal(text)).hasMessageContaining("not a SQLite database");
    assertThat(refusal(foreign).kind()).isEqualTo(Kind.DAMAGED);
    assertThat(refusal(foreign)).hasMessageContaining("not a journal");
    assertThat(failure(() -> SqliteJournal.openReadOnly(foreign)).kind()).isEqualTo(Kind.DAMAGED);
    assertThat(text).hasContent("Dear diary, ".repeat(100));
    assertThat(Files.readAllBytes(foreign)).isEqualTo(before);
  }

  @Test
  void aFolderIsNotAFile() {
    assertThat(refusal(folder)).hasMessageContaining("is a folder");
  }

  @Test
  void aFileOfALaterVersionIsRefused() throws Exception {
    Path file = folder.resolve("journal.db");
    SqliteJournal.open(file, CLOCK).close();
    execute(file, "PRAGMA user_version = 99");

    assertThat(refusal(file).kind()).isEqualTo(Kind.TOO_NEW);
    assertThat(refusal(file))
        .hasMessageContaining("tables 99, this version knows " + Schema.VERSION);
    assertThat(failure(() -> SqliteJournal.openReadOnly(file)).kind()).isEqualTo(Kind.TOO_NEW);
  }

  @Test
  void aDamagedFileIsRefusedAndNotRepairedByGuessing() throws Exception {
    Path file = folder.resolve("journal.db");
    SqliteJournal.open(file, CLOCK).close();
    try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
      // The pages of the tables; the header and the schema stay sound.
      byte[] rubbish = new byte[(int) raw.length() - 3 * 4096];
      Arrays.fill(rubbish, (byte) 0x5a);
      raw.seek(3 * 4096);
      raw.write(rubbish);
    }
    byte[] before = Files.readAllBytes(file);

    JournalException refusal = refusal(file);
    assertThat(refusal.kind()).isEqualTo(Kind.DAMAGED);
    assertThat(refusal).hasMessageContaining("it is damaged").hasMessageContaining(".recover");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aPlaceThatMayNotBeWrittenIsNamed() {
    JournalException refusal = refusal(Path.of("/proc/callbound/journal.db"));

    assertThat(refusal.kind()).isIn(Kind.NOT_ALLOWED, Kind.IO);
    assertThat(refusal).hasMessageContaining("/proc/callbound");
  }

  @Test
  void aFullDiskFailsTheWritesOfTheMomentAndNoLaterOnes() {
    try (SqliteJournal journal = SqliteJournal.open(folder.resolve("journal.db"), CLOCK)) {
      RunRecord run = journal.openRun(Records.run());
      CallRecord before = Records.call(run, Effect.WRITE);
      journal.openCall(before, null, ON_DISK);
      String large = "x".repeat(1 << 20);
      journal.limitPages(60);

      CallRecord awaited = Records.call(Records.IDS.call(), run.id(), Effect.WRITE, large);
      JournalException full = failure(() -> journal.openCall(awaited, null, ON_DISK));
      assertThat(full.kind()).isEqualTo(Kind.DISK_FULL);
      assertThat(full).hasMessageContaining("free some space below " + folder);
      assertThat(journal.health().failing()).isEqualTo(full.getMessage());
      assertThat(journal.health().lost()).isZero();

      journal.openCall(awaited, null, ON_DISK);
      journal.beginAttempt(before.id(), Records.attempt(1), ON_DISK);
      assertThat(journal.health().failing()).isNull();
      assertThat(journal.outcomes(run.id())).isEqualTo(new OutcomeCounts(0, 0, 0, 2));
    }
  }

  @Test
  void whatIsLostOnAFullDiskIsCountedAndItsCallTakesNoMore() {
    try (SqliteJournal journal = SqliteJournal.open(folder.resolve("journal.db"), CLOCK)) {
      RunRecord run = journal.openRun(Records.run());
      String large = "x".repeat(1 << 20);
      CallRecord lost = Records.call(Records.IDS.call(), run.id(), Effect.READ, large);
      journal.limitPages(60);
      journal.openCall(lost, null, SOON);

      JournalException failure =
          failure(() -> journal.beginAttempt(lost.id(), Records.attempt(1), ON_DISK));
      assertThat(failure.kind()).isIn(Kind.DISK_FULL, Kind.INCONSISTENT);
      assertThat(journal.health().lost()).isEqualTo(1);
      journal.openCall(Records.call(run, Effect.READ), null, ON_DISK);
      JournalException hole =
          failure(() -> journal.endCall(lost.id(), Records.ok(), null, ON_DISK));
      assertThat(hole).hasMessageContaining("an earlier record of call " + lost.id());
      assertThat(journal.outcomes(run.id())).isEqualTo(new OutcomeCounts(0, 0, 0, 1));
    }
  }
}
