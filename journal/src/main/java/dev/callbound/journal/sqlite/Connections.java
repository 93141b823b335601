package dev.callbound.journal.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** Opens connections to a file. None of them creates it. */
final class Connections {
  private static final int BUSY_MILLIS = 5_000;

  private final Path file;

  Connections(Path file) {
    this.file = file;
  }

  /** The connection that writes. */
  Sql writing() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    Sql sql = open(config, "");
    try {
      // On macOS fsync alone does not reach the disk. Elsewhere these change nothing.
      sql.script("PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1");
      // Arguments that are forgotten are overwritten, where that costs no further write.
      sql.first("PRAGMA secure_delete = FAST", row -> row.getInt(1));
      return sql;
    } catch (SQLException e) {
      sql.close();
      throw e;
    }
  }

  /** A connection that only reads; it works beside the one that writes, and without it. */
  Sql reading() throws SQLException {
    try {
      return reading("");
    } catch (SQLException e) {
      // To read a write-ahead log SQLite needs a file of shared memory beside it. Where the folder
      // does not let it be made, the journal can still be read if there is no log.
      if (Files.exists(file.resolveSibling(file.getFileName() + "-wal"))) {
        throw e;
      }
      return reading("?immutable=1");
    }
  }

  private Sql reading(String options) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    Sql sql = open(config, options);
    try {
      // SQLite opens lazily: only a read shows whether it can.
      sql.number("SELECT count(*) FROM sqlite_schema");
      return sql;
    } catch (SQLException e) {
      sql.close();
      throw e;
    }
  }

  private Sql open(SQLiteConfig config, String options) throws SQLException {
    // Nobody asks for them, and the driver would ask the database after every change.
    config.setGetGeneratedKeys(false);
    // As a URI, so that no character of the path is taken for an option.
    String url = JDBC.PREFIX + file.toUri() + options;
    Properties properties = config.toProperties();
    return new Sql(JDBC.createConnection(url, properties));
  }
}
