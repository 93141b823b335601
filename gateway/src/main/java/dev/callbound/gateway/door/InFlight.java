package dev.callbound.gateway.door;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How many requests are in flight; can be waited on until none is. Thread-safe. */
public final class InFlight {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private int count;

  /** Counts one more, which must {@link #leave}. */
  public void enter() {
    lock.lock();
    try {
      count++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts one more, unless there are so many already.
   *
   * @return whether it was counted, and so must {@link #leave}
   */
  public boolean enter(int most) {
    lock.lock();
    try {
      if (count >= most) {
        return false;
      }
      count++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Counts one less. */
  public void leave() {
    lock.lock();
    try {
      count--;
      if (count == 0) {
        none.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many there are now. */
  public int count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is none; false when the patience ended first. */
  public boolean awaitNone(Duration patience) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = patience.toNanos();
      while (count > 0 && nanos > 0) {
        nanos = none.awaitNanos(nanos);
      }
      return count == 0;
    } finally {
      lock.unlock();
    }
  }
}
