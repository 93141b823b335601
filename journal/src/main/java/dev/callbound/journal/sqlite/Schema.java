package dev.callbound.journal.sqlite;

import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/**
 * Brings a file to the tables that this version knows.
 *
 * <p>The file's version is SQLite's own {@code user_version}; version {@code n} is made from the
 * one before by the script {@code n.sql}, in one transaction. A released script is never changed.
 */
final class Schema {
  /** Of the tables that this version reads and writes. */
  static final int VERSION = 4;

  /** Marks the file as ours: "CBj1" (https://sqlite.org/pragma.html#pragma_application_id). */
  static final int APPLICATION_ID = 0x43426a31;

  private static final long WAL_BYTES_KEPT = 64L * 1024 * 1024;

  private Schema() {}

  /** Makes or brings up to date the tables of a file that is about to be written. */
  static void prepare(Sql sql, Troubles troubles) throws SQLException {
    long found = sql.number("PRAGMA user_version");
    boolean empty = found == 0 && sql.number("SELECT count(*) FROM sqlite_schema") == 0;
    if (!empty) {
      requireOurs(sql, found, troubles);
    }
    String mode = sql.first("PRAGMA journal_mode = WAL", row -> row.getString(1)).orElse("");
    if (!mode.equals("wal")) {
      throw troubles.of(
          Kind.IO,
          "its file system can't hold a write-ahead log (journal mode %s); name a file on a local disk"
              .formatted(mode));
    }
    sql.first("PRAGMA journal_size_limit = " + WAL_BYTES_KEPT, row -> row.getLong(1));
    for (long version = found + 1; version <= VERSION; version++) {
      sql.begin();
      sql.script(
          "%s; PRAGMA user_version = %d; PRAGMA application_id = %d"
              .formatted(script(version), version, APPLICATION_ID));
      sql.commit();
    }
  }

  /** Refuses a file whose tables are not those of this version. */
  static void require(Sql sql, Troubles troubles) throws SQLException {
    long found = sql.number("PRAGMA user_version");
    requireOurs(sql, found, troubles);
    requireCurrent(found, troubles);
  }

  private static void requireOurs(Sql sql, long found, Troubles troubles) throws SQLException {
    if (found < 1 || sql.number("PRAGMA application_id") != APPLICATION_ID) {
      throw troubles.of(
          Kind.DAMAGED,
          "it is a SQLite database, but not a journal, and was left as it is; name another file");
    }
    if (found > VERSION) {
      JournalException tooNew =
          troubles.of(
              Kind.TOO_NEW,
              "it was written by a later version (tables %d, this version knows %d), and was left as it"
                      .formatted(found, VERSION)
                  + " is; use that version, or name another file");
      throw tooNew;
    }
  }

  /** Refuses a file that has to be brought up to date first. */
  private static void requireCurrent(long found, Troubles troubles) {
    if (found < VERSION) {
      throw troubles.of(
          Kind.TOO_OLD,
          "it was written by an earlier version (tables %d, this version needs %d); start the gateway"
                  .formatted(found, VERSION)
              + " once, which brings it up to date");
    }
  }

  private static String script(long version) {
    String name = version + ".sql";
    try (InputStream stream = Schema.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
