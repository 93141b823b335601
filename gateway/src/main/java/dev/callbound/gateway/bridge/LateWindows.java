package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.run.Run;
import dev.callbound.journal.JournalException;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes on listening for answers that nobody waits for any more: a write that ran out of time may be
 * answered yet, and then it is known what became of it. Never past the run's end, and of a bounded
 * number of attempts: under pressure the one that has listened longest stops. Thread-safe.
 */
final class LateWindows {
  private static final System.Logger LOG = System.getLogger(LateWindows.class.getName());

  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<String, Thread> open = new LinkedHashMap<>();
  private boolean closed;

  /**
   * No windows yet.
   *
   * @param most how many may be open at a time; at least 1
   */
  LateWindows(int most) {
    this.most = most;
  }

  /**
   * Listens on.
   *
   * @param call the call that the attempt belongs to
   * @param pending the attempt that was given up
   * @param window for how long; more than zero
   * @param heard told the answer and how long after the attempt began it came, if it comes
   */
  void open(
      String call,
      WriteAttempt.Pending pending,
      Run run,
      Duration window,
      BiConsumer<Reply<Json>, Duration> heard) {
    Thread listener =
        Thread.ofVirtual()
            .name("late-window")
            .unstarted(() -> listen(call, pending, run, window, heard));
    Thread oldest = null;
    boolean taken;
    lock.lock();
    try {
      taken = !closed;
      if (taken) {
        oldest = open.size() >= most ? open.pollFirstEntry().getValue() : null;
        open.put(call, listener);
      }
    } finally {
      lock.unlock();
    }
    if (!taken) {
      // Withdrawing may wait for the wire to let go.
      pending.end();
      return;
    }
    listener.start();
    if (oldest != null) {
      LOG.log(System.Logger.Level.WARNING, "late_windows=full most={0}: one is closed", most);
      oldest.interrupt();
    }
  }

  private void listen(
      String call,
      WriteAttempt.Pending pending,
      Run run,
      Duration window,
      BiConsumer<Reply<Json>, Duration> heard) {
    Thread self = Thread.currentThread();
    Run.Member member = self::interrupt;
    long left = Math.min(window.toNanos(), run.deadline().atNanos() - System.nanoTime());
    try {
      if (run.join(member)) {
        Reply<Json> reply = answer(pending, left);
        if (reply != null) {
          heard.accept(reply, pending.age());
        }
      }
    } catch (InterruptedException _) {
      LOG.log(System.Logger.Level.DEBUG, "call={0} late_window=closed", call);
    } catch (JournalException e) {
      // It came, and could not be recorded: the call stays unknown, and may be asked about.
      LOG.log(System.Logger.Level.WARNING, "call={0} late=not_recorded {1}", call, e.getMessage());
    } finally {
      run.leave(member);
      forget(call, self);
      pending.end();
    }
  }

  private static @Nullable Reply<Json> answer(WriteAttempt.Pending pending, long nanos)
      throws InterruptedException {
    try {
      return pending.reply().get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an attempt ends with a reply", e);
    }
  }

  private void forget(String call, Thread listener) {
    lock.lock();
    try {
      open.remove(call, listener);
    } finally {
      lock.unlock();
    }
  }

  /** Stops listening. Nothing is listened for from here on. */
  void close() {
    lock.lock();
    try {
      closed = true;
      open.values().forEach(Thread::interrupt);
    } finally {
      lock.unlock();
    }
  }
}
