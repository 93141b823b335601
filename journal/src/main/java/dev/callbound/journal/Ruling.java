package dev.callbound.journal;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of a call's waiting for a person.
 *
 * @param at whole milliseconds
 * @param who a name for people
 * @param note what they have to say about it; null for nothing
 */
public record Ruling(Kind kind, Instant at, String who, @Nullable String note) {
  /** What it is. */
  public enum Kind {
    /** It may be made. */
    APPROVED,
    /** It must not be made. */
    DENIED,
    /** Nobody said anything in time. */
    LAPSED;

    /** The name as it stands in the journal and in answers, such as {@code approved}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What came of giving a ruling. */
  public enum Result {
    /** It is given. */
    RULED,
    /** The same had been ruled before. */
    ALREADY,
    /** Something else had been ruled before, and stands. */
    CONTRADICTED,
    /** The time to rule was over before, and nobody had: it counts as lapsed, whoever is there. */
    TOO_LATE,
    /** The call ended before anybody ruled. */
    OVER,
    /** The call does not wait for a person, and never did. */
    NOT_ASKED,
    /** There is no such call. */
    NO_SUCH_CALL
  }

  public Ruling {
    at = Check.millis(at);
  }
}
