package dev.callbound.gateway.upstream.stdio;

import dev.callbound.policy.Backoff;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * When a process that ended may be started again: at once the first time, then later and later. One
 * that stayed up for as long as the longest wait has shown that it can. Thread-safe.
 */
final class Restarts {
  private final Backoff backoff;
  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();
  private int ends;
  private long notBeforeNanos = System.nanoTime();

  Restarts(Backoff backoff, RandomGenerator random) {
    this.backoff = backoff;
    this.random = random;
  }

  /** A process has ended by itself, or could not be started. */
  void ended(Duration lived) {
    lock.lock();
    try {
      ends = lived.compareTo(backoff.cap()) >= 0 ? 1 : ends + 1;
      Duration pause = ends == 1 ? Duration.ZERO : backoff.before(ends - 1, random);
      notBeforeNanos = System.nanoTime() + pause.toNanos();
    } finally {
      lock.unlock();
    }
  }

  /** How long to wait before the next start; zero when it may be made now. */
  Duration pause() {
    lock.lock();
    try {
      return Duration.ofNanos(Math.max(0, notBeforeNanos - System.nanoTime()));
    } finally {
      lock.unlock();
    }
  }
}
