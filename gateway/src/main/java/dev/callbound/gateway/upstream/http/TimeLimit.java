package dev.callbound.gateway.upstream.http;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds work that this package does on a thread of its own: interrupts the thread when the time is
 * up. Not for a caller's thread, whose interrupts mean something else.
 */
final class TimeLimit implements AutoCloseable {
  private final Thread bounded = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();
  private final Thread timer;
  private boolean over;
  private boolean passed;

  private TimeLimit(Duration limit) {
    this.timer = Thread.ofVirtual().name("time-limit").unstarted(() -> watch(limit));
  }

  /** Interrupts the current thread after the limit, unless closed before. */
  static TimeLimit of(Duration limit) {
    TimeLimit started = new TimeLimit(limit);
    started.timer.start();
    return started;
  }

  /** Whether the time is up. */
  boolean passed() {
    lock.lock();
    try {
      return passed;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the limit; an interrupt of its own is taken back. */
  @Override
  public void close() {
    lock.lock();
    try {
      over = true;
      if (passed) {
        // The only interrupt of this package that is ever cleared: it was meant for the work above.
        Thread.interrupted();
      }
    } finally {
      lock.unlock();
    }
    timer.interrupt();
  }

  private void watch(Duration limit) {
    try {
      Thread.sleep(limit);
    } catch (InterruptedException _) {
      return;
    }
    lock.lock();
    try {
      if (!over) {
        passed = true;
        bounded.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
