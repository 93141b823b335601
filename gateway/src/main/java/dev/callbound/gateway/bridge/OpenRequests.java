package dev.callbound.gateway.bridge;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** How many requests are being handled, and whether more are let in. Thread-safe. */
final class OpenRequests {
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int open;
  private boolean stopping;

  OpenRequests(int most) {
    this.most = most;
  }

  /** Lets a request in. Returns why not; null where it is. */
  @Nullable String enter() {
    lock.lock();
    try {
      if (stopping) {
        return "the gateway is stopping; nothing was sent";
      }
      if (open >= most) {
        return "the gateway is full: " + most + " requests are in flight; nothing was sent";
      }
      open++;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** One that was let in is over. */
  void leave() {
    lock.lock();
    try {
      open--;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets no more in. */
  void stop() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      stopping = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until none is open, or the patience ends. */
  void awaitNone(Duration patience) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = TimeUnit.NANOSECONDS.convert(patience);
      while (open > 0 && left > 0) {
        left = ended.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
