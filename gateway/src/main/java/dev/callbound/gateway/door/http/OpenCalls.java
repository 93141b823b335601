package dev.callbound.gateway.door.http;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How many calls are in flight, and whether more may come. Thread-safe. */
final class OpenCalls {
  /** Whether a call may begin. */
  enum Entry {
    IN,
    /** As many as may be are in flight. */
    FULL,
    /** The door is closing. */
    CLOSING
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private final int most;
  private int open;
  private boolean closing;

  OpenCalls(int most) {
    this.most = most;
  }

  /** Asks to begin a call; whoever got in must {@link #leave}. */
  Entry enter() {
    lock.lock();
    try {
      if (closing) {
        return Entry.CLOSING;
      }
      if (open == most) {
        return Entry.FULL;
      }
      open++;
      return Entry.IN;
    } finally {
      lock.unlock();
    }
  }

  /** A call has ended. */
  void leave() {
    lock.lock();
    try {
      open--;
      if (open == 0) {
        none.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  int count() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  /** Lets no more in. */
  void close() {
    lock.lock();
    try {
      closing = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until none is in flight; false when the patience ended first. */
  boolean awaitNone(Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long nanos = patience.toNanos();
      while (open > 0) {
        if (nanos <= 0) {
          return false;
        }
        nanos = none.awaitNanos(nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
