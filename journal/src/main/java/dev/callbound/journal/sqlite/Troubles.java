package dev.callbound.journal.sqlite;

import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Says what is wrong with a file, and what would help. */
final class Troubles {
  /** With less than this left on the disk, an I/O error is taken to come from its being full. */
  private static final long FULL_BYTES = 64 * 1024;

  private final Path file;

  Troubles(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  JournalException of(Kind kind, String message) {
    return new JournalException(kind, file, message, null);
  }

  JournalException of(SQLException e) {
    SQLiteErrorCode code =
        e instanceof SQLiteException sqlite ? sqlite.getResultCode() : SQLiteErrorCode.SQLITE_ERROR;
    // The lower byte is the primary code: https://sqlite.org/rescode.html#primary_result_codes
    SQLiteErrorCode primary = SQLiteErrorCode.getErrorCode(code.code & 0xff);
    return switch (primary) {
      case SQLITE_FULL -> full(e);
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN -> notAllowed(code.name(), e);
      case SQLITE_NOTADB ->
          with(
              Kind.DAMAGED,
              "it is not a SQLite database, and was left as it is; name another file, or move it away",
              e);
      case SQLITE_CORRUPT ->
          with(
              Kind.DAMAGED,
              "it is damaged (%s); keep a copy, then try `sqlite3 %s .recover`, or move it away and a"
                      .formatted(code.name(), file)
                  + " new one is begun",
              e);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          with(
              Kind.IN_USE,
              "another program holds a lock on it, such as an open transaction in sqlite3; end it",
              e);
      case SQLITE_CONSTRAINT ->
          with(
              Kind.INCONSISTENT,
              "a record does not fit what was recorded before: " + e.getMessage(),
              e);
      default -> left() < FULL_BYTES ? full(e) : io(code.name() + ": " + e.getMessage(), e);
    };
  }

  JournalException of(InconsistentException e) {
    return with(Kind.INCONSISTENT, e.problem(), e);
  }

  /** What should not happen: a bug, or no memory. */
  JournalException ofBug(Throwable bug) {
    return new JournalException(Kind.IO, file, "a record could not be written: " + bug, bug);
  }

  JournalException of(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> notAllowed("access denied to " + e.getMessage(), e);
      case FileSystemException system
          when String.valueOf(system.getReason())
              .toLowerCase(Locale.ROOT)
              .contains("read-only file system") ->
          notAllowed("the file system is read-only", e);
      default -> left() < FULL_BYTES ? full(e) : io(e.toString(), e);
    };
  }

  private JournalException full(Exception cause) {
    return with(
        Kind.DISK_FULL,
        "the disk is full; free some space below %s, and recording goes on by itself"
            .formatted(folder()),
        cause);
  }

  private JournalException notAllowed(String what, Exception cause) {
    return with(
        Kind.NOT_ALLOWED,
        "it can't be opened or written (%s); allow the user %s to write the file and its folder %s, or"
                .formatted(what, System.getProperty("user.name"), folder())
            + " name another file",
        cause);
  }

  private JournalException io(String what, Exception cause) {
    return with(
        Kind.IO,
        "the operating system reported an error (%s); look at the disk below %s"
            .formatted(what, folder()),
        cause);
  }

  private JournalException with(Kind kind, String message, Exception cause) {
    return new JournalException(kind, file, message, cause);
  }

  private Path folder() {
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  private long left() {
    try {
      return Files.getFileStore(folder()).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
