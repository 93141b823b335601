package dev.callbound.journal;

import dev.callbound.policy.Reason;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param reason a {@link Reason.Stopped} when stopped, a {@link Reason.Unknown} when unknown, null
 *     when ok
 * @param detail one sentence for people; empty when there is nothing to say
 * @param attempts how many attempts were begun
 * @param endedAt whole milliseconds
 * @param resultDigest a digest of the result; null when there was none
 * @param resultBytes the size of the result; zero when there was none
 * @param result the result as JSON, masked; null unless results are recorded in full
 */
public record Ending(
    Status status,
    @Nullable Reason reason,
    String detail,
    int attempts,
    Instant endedAt,
    @Nullable String resultDigest,
    long resultBytes,
    @Nullable String result) {

  /** The three outcomes. */
  public enum Status {
    /** The tool did it, and answered. */
    OK,
    /** Over, and nothing is in doubt. */
    STOPPED,
    /** A write that may or may not have happened. */
    UNKNOWN;

    /** The name as it stands in the journal and in answers, such as {@code ok}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Ending {
    boolean fits =
        switch (status) {
          case OK -> reason == null;
          case STOPPED -> reason instanceof Reason.Stopped;
          case UNKNOWN -> reason instanceof Reason.Unknown;
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "the reason must be one of its status: " + status + ", " + reason);
    }
    if (attempts < 0 || resultBytes < 0) {
      throw new IllegalArgumentException(
          "attempts and resultBytes must not be negative: " + attempts + ", " + resultBytes);
    }
    endedAt = Check.millis(endedAt);
  }

  /** An ending without a result. */
  public static Ending without(
      Status status, @Nullable Reason reason, String detail, int attempts, Instant endedAt) {
    return new Ending(status, reason, detail, attempts, endedAt, null, 0, null);
  }
}
