package dev.callbound.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread or process is about to do. */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private Eventually() {}

  /** Looks every 5 ms, for 10 s at most, and says whether the condition came to hold. */
  public static boolean holds(Callable<Boolean> condition) throws Exception {
    return holds(PATIENCE, condition);
  }

  /** Looks every 5 ms, for as long as given, and says whether the condition came to hold. */
  public static boolean holds(Duration patience, Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + patience.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      LockSupport.parkNanos(INTERVAL.toNanos());
    }
    return true;
  }
}
