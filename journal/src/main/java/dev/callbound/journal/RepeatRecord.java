package dev.callbound.journal;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request that made no call of its own, since an earlier call meant the same.
 *
 * @param call the id of the earlier call
 * @param at whole milliseconds
 * @param step the step that the request named; null when it named none
 * @param client the client's own name for itself, for people
 */
public record RepeatRecord(
    String call, Instant at, Kind kind, @Nullable String step, String client) {

  /** What came of it. */
  public enum Kind {
    /** It waited for the earlier call, which was going on. */
    JOINED,
    /** It got the result of the earlier call. */
    REPLAYED,
    /** It was told that the earlier call is unknown. */
    TOLD,
    /** It was refused, since it came with other arguments. */
    CONFLICT;

    /** The name as it stands in the journal and in answers, such as {@code joined}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public RepeatRecord {
    Check.id(call, Ids.CALL);
    at = Check.millis(at);
  }
}
