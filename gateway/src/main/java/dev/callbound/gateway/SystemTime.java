package dev.callbound.gateway;

import dev.callbound.policy.Time;
import java.time.Duration;

/** The time of this machine, which nobody cancels. Thread-safe. */
enum SystemTime implements Time {
  /** The only one there is. */
  INSTANCE;

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public void sleep(Duration wait) throws InterruptedException {
    Thread.sleep(wait);
  }
}
