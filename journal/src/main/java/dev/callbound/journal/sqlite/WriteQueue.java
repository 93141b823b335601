package dev.callbound.journal.sqlite;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be written, in order. When it is full, whoever hands in more waits.
 *
 * <p>Thread-safe. It waits without heeding interrupts and leaves the interrupt flag as it is: a
 * cancelled call, whose flag is set, must still be able to record its end.
 */
final class WriteQueue {
  /** How much it holds: about this many KiB. */
  private static final int ROOM = 32 * 1_024;

  /**
   * How many are taken at once: enough to share a sync, few enough to keep the first from waiting.
   */
  private static final int BATCH = 1_024;

  /**
   * How long a write that nobody waits for waits for company: the more a group holds, the less each
   * of it costs.
   */
  private static final Duration COMPANY = Duration.ofMillis(10);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition pressing = lock.newCondition();
  private final Condition taken = lock.newCondition();
  private final Deque<Write<?>> writes = new ArrayDeque<>();
  private int weight;
  private int awaited;
  private boolean closed;

  /** Adds a write, or returns false if the queue has been closed. */
  boolean add(Write<?> write) {
    lock.lock();
    try {
      while (weight >= ROOM && !closed) {
        taken.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      writes.add(write);
      weight += write.weight();
      awaited += write.isAwaited() ? 1 : 0;
      if (writes.size() == 1) {
        arrived.signal();
      }
      if (isPressing()) {
        pressing.signal();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The next writes; waits for the first. Empty only when closed and all has been taken. */
  List<Write<?>> take() {
    lock.lock();
    try {
      while (writes.isEmpty() && !closed) {
        arrived.awaitUninterruptibly();
      }
      awaitCompany();
      List<Write<?>> batch = new ArrayList<>(Math.min(writes.size(), BATCH));
      while (batch.size() < BATCH && !writes.isEmpty()) {
        Write<?> write = writes.remove();
        weight -= write.weight();
        awaited -= write.isAwaited() ? 1 : 0;
        batch.add(write);
      }
      taken.signalAll();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Whether what is in it should be written now. */
  private boolean isPressing() {
    return awaited > 0 || closed || writes.size() >= BATCH || weight >= ROOM;
  }

  private void awaitCompany() {
    long left = COMPANY.toNanos();
    try {
      while (!isPressing() && left > 0) {
        left = pressing.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      // Whoever interrupts the writer wants it to get on.
      Thread.currentThread().interrupt();
    }
  }

  /** Takes no more; what is in it can still be taken. */
  void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
      pressing.signalAll();
      taken.signalAll();
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return writes.size();
    } finally {
      lock.unlock();
    }
  }
}
