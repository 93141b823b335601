package dev.callbound.policy.testing;

import dev.callbound.policy.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that passes only when somebody sleeps or says so: a night of backoffs takes no time at all.
 *
 * <p>Not thread-safe: one test, one thread.
 */
public final class SimulatedTime implements Time {
  private record Event(long atNanos, long order, Runnable action) implements Comparable<Event> {
    // By difference, as monotonic readings must be compared: they may wrap around.
    @Override
    public int compareTo(Event other) {
      return atNanos != other.atNanos
          ? Long.signum(atNanos - other.atNanos)
          : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Duration> sleeps = new ArrayList<>();
  private long planned;
  private long nanos;
  private boolean cancelled;

  /** Time that begins at an arbitrary reading, as a monotonic clock does. */
  public SimulatedTime(long startNanos) {
    this.nanos = startNanos;
  }

  /** Time that begins at zero. */
  public SimulatedTime() {
    this(0);
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public void sleep(Duration wait) throws InterruptedException {
    requireNotNegative(wait);
    sleeps.add(wait);
    if (!advance(wait)) {
      throw new InterruptedException("cancelled");
    }
  }

  /**
   * Lets time pass, running what was planned for meanwhile. Stops early at a cancellation.
   *
   * @return false when the call is cancelled
   */
  public boolean advance(Duration by) {
    requireNotNegative(by);
    long until = nanos + by.toNanos();
    while (!cancelled) {
      @Nullable Event next = events.peek();
      if (next == null || next.atNanos() - until > 0) {
        nanos = until;
        return true;
      }
      events.remove();
      nanos = next.atNanos();
      next.action().run();
    }
    return false;
  }

  /** Plans something for a time from now. What is planned for the same time is done in order. */
  public void after(Duration delay, Runnable action) {
    requireNotNegative(delay);
    events.add(new Event(nanos + delay.toNanos(), planned++, action));
  }

  /** Cancels the call that this time belongs to: every sleep ends at once, now and later. */
  public void cancel() {
    cancelled = true;
  }

  /** Whether the call has been cancelled. */
  public boolean cancelled() {
    return cancelled;
  }

  /** The waits asked for so far, whether they ended or not. */
  public List<Duration> sleeps() {
    return List.copyOf(sleeps);
  }

  private static void requireNotNegative(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not run backwards: " + duration);
    }
  }
}
