package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the loop leaves its record. An implementation belongs to one call.
 *
 * <p>The order of writes: of a write, an attempt is on disk before {@link #begun} returns, and so
 * before its first byte is sent; the outcome is on disk before {@link #ended} returns, and so
 * before the client hears it. A read is recorded without waiting for the disk.
 *
 * <p>A cancelled call is recorded like any other, on a thread whose interrupt flag may be set: an
 * implementation writes all the same, and leaves the flag as it found it.
 *
 * <p>Every method throws an unchecked exception when the record can't be kept; the loop passes it
 * on and sends nothing more.
 */
public interface Journal {
  /** An attempt is about to be made. */
  void begun(Attempt attempt);

  /**
   * An attempt is over.
   *
   * @param waited how long it really took, by the monotonic clock
   * @param failure how it failed; null when it succeeded
   */
  void ended(Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision);

  /**
   * An attempt that another process began, and of which no end is on record, is taken up: this is
   * its end. Nobody knows how long it took. On disk like any other end.
   *
   * @param number which attempt, from 1
   */
  void takenUp(int number, Failure failure, Decision decision);

  /** The call is over. */
  void ended(Outcome<?> outcome);
}
