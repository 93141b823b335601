package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a read: made on the call's own thread, which a timer shared by all interrupts when
 * the patience is over. Nothing goes on when it has returned. A thread less for each call, with its
 * two hand-overs, is what it is for.
 *
 * <p>Two interrupts can meet on that thread. The timer's is for the wire alone: it is sent under
 * the lock and only while the attempt lasts, and taken back when the attempt is over. The
 * cancellation's is for the whole call, and stays.
 */
final class ReadAttempt {
  private final Patience patience;
  private final Cancellation cancellation;
  private final Thread caller = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Future<?> alarm;
  private Failure.TimedOut.@Nullable Timer rang;
  private boolean over;

  /** An attempt that the current thread is about to make. */
  ReadAttempt(Patience patience, Cancellation cancellation) {
    this.patience = patience;
    this.cancellation = cancellation;
  }

  /**
   * Makes the attempt.
   *
   * @return null when the call was cancelled meanwhile; the interrupt flag is set then
   */
  @Nullable Reply<Json> make(Supplier<Reply<Json>> wire) {
    watch();
    Reply<Json> reply;
    try {
      reply = wire.get();
    } finally {
      end();
    }
    if (Attempts.isAnswer(reply)) {
      return reply;
    }
    if (caller.isInterrupted()) {
      return null;
    }
    return rang == null ? reply : patience.timedOut(rang);
  }

  /** Interrupts the attempt if its time is over, and looks again later if not. */
  private void watch() {
    lock.lock();
    try {
      if (over) {
        return;
      }
      long left = patience.leftNanos();
      if (left > 0) {
        alarm = Alarms.onClock(left, this::watch);
      } else {
        rang = patience.timer();
        caller.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      over = true;
      if (alarm != null) {
        alarm.cancel(false);
      }
    } finally {
      lock.unlock();
    }
    if (rang != null) {
      Thread.interrupted();
      // A cancellation that came before this line is known by now; one that comes later sends its
      // own interrupt.
      if (cancellation.by() != null) {
        caller.interrupt();
      }
    }
  }
}
