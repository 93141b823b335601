package dev.callbound.policy;

import java.time.Duration;

/**
 * The passing of time, as one call sees it.
 *
 * <p>An implementation belongs to one call or to many; {@link #nanos()} may be called from any
 * thread. {@link dev.callbound.policy.testing.SimulatedTime} is one whose hours cost nothing.
 */
public interface Time {
  /**
   * A monotonic reading in nanoseconds, comparable only with other readings of the same source, as
   * {@link System#nanoTime()} is.
   */
  long nanos();

  /**
   * Waits. This is the sleep between two attempts, so it is also where a cancelled call stops: an
   * implementation throws at once, without waiting, when the call it serves has been cancelled.
   *
   * @param wait zero or more; zero asks only whether the call has been cancelled
   * @throws InterruptedException when the call was cancelled before or during the wait
   */
  void sleep(Duration wait) throws InterruptedException;
}
