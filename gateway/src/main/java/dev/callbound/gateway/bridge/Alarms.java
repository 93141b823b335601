package dev.callbound.gateway.bridge;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Does something later, unless it is no longer needed: one thread waits for all. Thread-safe. */
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
    return CLOCK.schedule(
        () -> Thread.ofVirtual().name("alarm").start(action),
        Math.max(0, time.toNanos()),
        TimeUnit.NANOSECONDS);
  }

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("alarms").factory());
    // Nearly every call ends long before anybody has waited long enough.
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }
}
