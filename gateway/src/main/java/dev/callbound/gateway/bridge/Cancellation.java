package dev.callbound.gateway.bridge;

import dev.callbound.policy.Entrance;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one cancellation of a call: it ends the attempt, the sleep between attempts, and whatever
 * else the call's thread waits for.
 *
 * <p>There are two degrees. <em>Cancelled</em> means that somebody said stop: the thread is
 * interrupted. <em>Abandoned</em> means that nobody waits any more: nothing new is begun, so the
 * waits end, while an attempt that is on its way goes on. Thread-safe; neither is ever taken back.
 */
final class Cancellation implements Time, Entrance.Waiting {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Failure.Cancelled.@Nullable By by;
  private boolean abandoned;
  private boolean woken;
  private @Nullable Thread worker;

  /** Names the thread that makes the call, which is the one that calls this. */
  void begin() {
    lock.lock();
    try {
      worker = Thread.currentThread();
      if (by != null) {
        worker.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The call is over: nothing is interrupted from here on. */
  void end() {
    lock.lock();
    try {
      worker = null;
    } finally {
      lock.unlock();
    }
  }

  void cancel(Failure.Cancelled.By who) {
    lock.lock();
    try {
      if (by == null) {
        by = who;
        if (worker != null) {
          worker.interrupt();
        }
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  void abandon() {
    lock.lock();
    try {
      abandoned = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isAbandoned() {
    lock.lock();
    try {
      return abandoned;
    } finally {
      lock.unlock();
    }
  }

  /** Who cancelled it; null while nobody has. */
  Failure.Cancelled.@Nullable By by() {
    lock.lock();
    try {
      return by;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public void sleep(Duration pause) throws InterruptedException {
    pause(pause, false);
  }

  @Override
  public void await(Duration atMost) throws InterruptedException {
    pause(atMost, true);
  }

  @Override
  public void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void pause(Duration pause, boolean wakeable) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = pause.toNanos();
      while (by == null && !abandoned && left > 0 && !(wakeable && woken)) {
        left = changed.awaitNanos(left);
      }
      if (by != null || abandoned) {
        throw new InterruptedException("the call was " + (by != null ? "cancelled" : "abandoned"));
      }
      woken = woken && !wakeable;
    } finally {
      lock.unlock();
    }
  }
}
