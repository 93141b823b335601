package dev.callbound.journal;

import dev.callbound.policy.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was learned about a call after it had been settled, and contradicts that. It changes
 * nothing.
 *
 * @param at whole milliseconds
 * @param status ok or stopped, whichever the call is not
 * @param reason null when ok
 * @param detail one sentence for people
 * @param who a name for people
 * @param note what the one who said it had to say; null when nothing
 * @param resultDigest a digest of the result; null when there was none
 * @param resultBytes the size of the result; zero when there was none
 */
public record Divergence(
    Instant at,
    Ending.Status status,
    Reason.@Nullable Stopped reason,
    String detail,
    SettledBy by,
    String who,
    @Nullable String note,
    @Nullable String resultDigest,
    long resultBytes) {}
