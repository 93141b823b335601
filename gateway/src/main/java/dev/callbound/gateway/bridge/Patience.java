package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long an attempt is waited for: until its deadline, or until the server has been silent for
 * too long.
 *
 * @param stall the longest silence allowed; null for any
 * @param begun the reading of the clock when the attempt began
 */
record Patience(Live live, Deadline deadline, @Nullable Duration stall, long begun) {
  /** How long to wait before looking again, in nanoseconds; zero or less when it is over. */
  long leftNanos() {
    long now = System.nanoTime();
    long toDeadline = deadline.atNanos() - now;
    return stall == null ? toDeadline : Math.min(toDeadline, toSilence(stall, now));
  }

  private long toSilence(Duration longest, long now) {
    long at = live.silentAt(longest);
    // A person is being asked: look again after as long a time.
    return at == Long.MAX_VALUE ? longest.toNanos() : at - now;
  }

  /** Which of the two it was, once it is over. */
  Failure.TimedOut.Timer timer() {
    return deadline.atNanos() - System.nanoTime() <= 0
        ? Failure.TimedOut.Timer.DEADLINE
        : Failure.TimedOut.Timer.STALL;
  }

  /** What is known of an attempt that was waited for in vain until now. */
  Reply<Json> timedOut(Failure.TimedOut.Timer timer) {
    Duration waited = Duration.ofNanos(System.nanoTime() - begun);
    return Reply.failed(
        live.wasSent()
            ? new Failure.TimedOut(waited, timer)
            : new Failure.NotSent("not connected within " + waited.toMillis() + " ms"));
  }
}
