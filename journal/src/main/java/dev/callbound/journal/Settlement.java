package dev.callbound.journal;

import dev.callbound.policy.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How an unknown call became known. Its {@link Ending} is the truth since.
 *
 * @param at whole milliseconds; what is kept of the call is kept for so long after this
 * @param who a name for people: a user, a client, the tool that was asked
 * @param note what the one who settled it had to say; null when nothing
 * @param was why it had been unknown
 * @param wasDetail the sentence that had been said about it
 */
public record Settlement(
    Instant at,
    SettledBy by,
    String who,
    @Nullable String note,
    Reason.Unknown was,
    String wasDetail) {

  public Settlement {
    at = Check.millis(at);
  }
}
