package dev.callbound.gateway.cli;

import dev.callbound.gateway.process.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Signals on their way to a family of processes, which may not have begun yet. Thread-safe. */
final class PassedSignals {
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Integer> early = new ArrayList<>();
  private @Nullable Family family;

  /** Passes a signal on; one that comes too early waits. */
  void pass(int signal) {
    lock.lock();
    try {
      if (family == null) {
        early.add(signal);
      } else {
        family.signal(signal);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Names the family that they are for. */
  void to(Family begun) {
    lock.lock();
    try {
      family = begun;
      early.forEach(begun::signal);
    } finally {
      lock.unlock();
    }
  }
}
