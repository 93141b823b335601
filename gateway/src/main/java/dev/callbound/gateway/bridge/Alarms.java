package dev.callbound.gateway.bridge;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does something later, unless it is no longer needed: one thread waits for all. What is done on it
 * keeps the others waiting; what takes longer has a thread of its own. Thread-safe.
 */
final class Alarms {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private Alarms() {}

  /**
   * Runs the action on a virtual thread of its own after this time; at once where it is zero or
   * less.
   *
   * @return to be cancelled when it is no longer needed
   */
  static Future<?> after(Duration time, Runnable action) {
    return onClock(time.toNanos(), () -> Thread.ofVirtual().name("alarm").start(action));
  }

  /**
   * Runs the action on the thread that waits for all, which it must not hold up.
   *
   * @param nanos the time until then; zero or less for at once
   * @return to be cancelled when it is no longer needed
   */
  static Future<?> onClock(long nanos, Runnable action) {
    return CLOCK.schedule(action, Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("alarms").factory());
    // Nearly every call ends long before its deadline, and before anybody has waited long enough.
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }
}
