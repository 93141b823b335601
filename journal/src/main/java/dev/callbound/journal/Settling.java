package dev.callbound.journal;

import dev.callbound.policy.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was learned about a call that is unknown.
 *
 * @param to {@link Ending.Status#OK}: it happened; {@link Ending.Status#STOPPED}: it did not, or
 *     the tool itself said how it failed
 * @param reason null when ok; null when stopped, too, where nothing is known but that it did not
 *     happen: the reason then follows from the doubt, see {@link #reasonAfter}
 * @param detail one sentence for people, which takes the place of the one about the doubt
 * @param who a name for people: a user, a client, the tool that was asked
 * @param note what the one who settles it has to say; null when nothing
 * @param at whole milliseconds
 * @param replay what those are to be answered with who repeat the call or come back for it; kept
 *     where somebody may. Null when the result is not known
 * @param resultDigest a digest of the result; null when there was none
 * @param resultBytes the size of the result; zero when there was none
 * @param result the result as JSON, masked; null unless results are recorded in full
 */
public record Settling(
    String call,
    Ending.Status to,
    Reason.@Nullable Stopped reason,
    String detail,
    SettledBy by,
    String who,
    @Nullable String note,
    Instant at,
    @Nullable Replay replay,
    @Nullable String resultDigest,
    long resultBytes,
    @Nullable String result) {

  public Settling {
    Check.id(call, Ids.CALL);
    boolean fits =
        switch (to) {
          case OK -> reason == null;
          case STOPPED -> replay == null;
          case UNKNOWN -> false;
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "a call is settled to ok without a reason, or to stopped without a replay: %s, %s"
              .formatted(to, reason));
    }
    if (resultBytes < 0) {
      throw new IllegalArgumentException("resultBytes must not be negative: " + resultBytes);
    }
    at = Check.millis(at);
  }

  /**
   * It happened, and this is what it left.
   *
   * @param replay what those are to be answered with who repeat the call or come back for it; null
   *     when that is not known
   * @param result the result as JSON, masked; null unless results are recorded in full
   */
  public static Settling happened(
      String call,
      String detail,
      SettledBy by,
      String who,
      Instant at,
      @Nullable Replay replay,
      String resultDigest,
      long resultBytes,
      @Nullable String result) {
    return new Settling(
        call,
        Ending.Status.OK,
        null,
        detail,
        by,
        who,
        null,
        at,
        replay,
        resultDigest,
        resultBytes,
        result);
  }

  /** The tool itself said how it failed, or that it will not do it. */
  public static Settling stopped(
      String call, Reason.Stopped reason, String detail, SettledBy by, String who, Instant at) {
    return new Settling(
        call, Ending.Status.STOPPED, reason, detail, by, who, null, at, null, null, 0, null);
  }

  /** Without a result: somebody says that it happened, or that it did not. */
  public static Settling without(
      String call,
      Ending.Status to,
      String detail,
      SettledBy by,
      String who,
      @Nullable String note,
      Instant at) {
    return new Settling(call, to, null, detail, by, who, note, at, null, null, 0, null);
  }

  /** The reason of a call that was unknown for this one, and is now known not to have happened. */
  public static Reason.Stopped reasonAfter(Reason.Unknown doubt) {
    return switch (doubt) {
      case TIMED_OUT -> Reason.Stopped.DEADLINE_EXCEEDED;
      case CANCELLED_IN_FLIGHT -> Reason.Stopped.CANCELLED;
      case RESPONSE_TOO_LARGE -> Reason.Stopped.RESPONSE_TOO_LARGE;
      case CONNECTION_LOST, SERVER_ERROR, GARBLED_ANSWER, WORKER_DIED, CHECK_FAILED ->
          Reason.Stopped.RETRIES_EXHAUSTED;
    };
  }
}
