package dev.callbound.journal;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A record could not be kept or read. The message names the file, the cause and the remedy. Nothing
 * that was recorded before is lost by it, and a later record is tried afresh.
 */
public final class JournalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Kind {
    /** There is no such file. */
    MISSING,
    /** Another process has it open for writing. */
    IN_USE,
    /** The file or its folder may not be written or read. */
    NOT_ALLOWED,
    /** The disk is full. */
    DISK_FULL,
    /** The file is not a journal, or it is damaged. */
    DAMAGED,
    /** The file was written by a later version of this program. */
    TOO_NEW,
    /** The file was written by an earlier version, and only the gateway brings it up to date. */
    TOO_OLD,
    /** The operating system reported an error. */
    IO,
    /** A record does not fit what was recorded before; or a record before it was lost. */
    INCONSISTENT,
    /** The journal has been closed. */
    CLOSED
  }

  private final Kind kind;

  /** With everything a person needs to know in the message. */
  public JournalException(Kind kind, Path file, String message, @Nullable Throwable cause) {
    super("journal " + file + ": " + message, cause);
    this.kind = kind;
  }

  /** Why. */
  public Kind kind() {
    return kind;
  }
}
