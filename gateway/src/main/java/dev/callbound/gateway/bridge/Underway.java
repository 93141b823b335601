package dev.callbound.gateway.bridge;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The calls that are going on in this process, by their ids. Thread-safe. */
final class Underway {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private final Map<String, OpenCall> calls = new HashMap<>();

  void add(OpenCall call) {
    lock.lock();
    try {
      calls.put(call.record().id(), call);
    } finally {
      lock.unlock();
    }
  }

  void remove(OpenCall call) {
    lock.lock();
    try {
      calls.remove(call.record().id(), call);
      if (calls.isEmpty()) {
        none.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The call of this id; null where none is going on. */
  @Nullable OpenCall find(String id) {
    lock.lock();
    try {
      return calls.get(id);
    } finally {
      lock.unlock();
    }
  }

  List<OpenCall> all() {
    lock.lock();
    try {
      return List.copyOf(calls.values());
    } finally {
      lock.unlock();
    }
  }

  /** Waits until none is going on, or the patience ends. */
  void awaitNone(Duration patience) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = TimeUnit.NANOSECONDS.convert(patience);
      while (!calls.isEmpty() && left > 0) {
        left = none.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
