package dev.callbound.gateway.upstream.http;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds work that this package does on a thread of its own: interrupts the thread when the time is
 * up. Not for a caller's thread, whose interrupts mean something else.
 */
final class TimeLimit implements AutoCloseable {
  private final Thread bounded = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long leftNanos;
  private boolean paused;
  private boolean over;
  private boolean passed;

  private TimeLimit(Duration limit) {
    this.leftNanos = limit.toNanos();
  }

  /** Interrupts the current thread after the limit, unless closed before. */
  static TimeLimit of(Duration limit) {
    TimeLimit started = new TimeLimit(limit);
    Thread.ofVirtual().name("time-limit").start(started::watch);
    return started;
  }

  /** A time that does not count; it ends when this is closed. */
  @FunctionalInterface
  interface Pause extends AutoCloseable {
    @Override
    void close();
  }

  /** Stops the time: what the current thread does now is not what is bounded. */
  Pause pause() {
    set(true);
    return () -> set(false);
  }

  private void set(boolean pausing) {
    lock.lock();
    try {
      paused = pausing;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
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
      changed.signalAll();
      if (passed) {
        // The only interrupt of this package that is ever cleared: it was meant for the work above.
        Thread.interrupted();
      }
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    lock.lock();
    try {
      while (!over && leftNanos > 0) {
        if (paused) {
          changed.await();
        } else {
          long since = System.nanoTime();
          changed.awaitNanos(leftNanos);
          leftNanos -= System.nanoTime() - since;
        }
      }
      if (!over) {
        passed = true;
        bounded.interrupt();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody knows the thread that watches", e);
    } finally {
      lock.unlock();
    }
  }
}
