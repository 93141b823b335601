package dev.callbound.policy;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many retries a run has left. It counts retries, not calls: a first attempt is free.
 *
 * <p>Thread-safe. It lives as long as its run does: whoever makes one again after a restart tells
 * it how many are used, from the journal.
 */
public final class RetryBudget {
  private final int limit;
  private final AtomicInteger used;

  private RetryBudget(int limit, int used) {
    this.limit = limit;
    this.used = new AtomicInteger(used);
  }

  /**
   * A budget that may be partly used.
   *
   * @param limit how many retries the run may make; zero or more
   * @param used how many it has made already; zero or more
   */
  public static RetryBudget of(int limit, int used) {
    if (limit < 0 || used < 0) {
      throw new IllegalArgumentException(
          "limit and used must not be negative: " + limit + ", " + used);
    }
    return new RetryBudget(limit, used);
  }

  /** Takes one retry, or returns false and takes nothing when none is left. */
  public boolean take() {
    int before = used.getAndUpdate(count -> count < limit ? count + 1 : count);
    return before < limit;
  }

  /** Gives back a retry that was taken and not begun. */
  public void giveBack() {
    used.updateAndGet(count -> Math.max(0, count - 1));
  }

  /** The number of retries that the run may make. */
  public int limit() {
    return limit;
  }

  /** The number of retries taken so far; may be over a limit that was lowered since. */
  public int used() {
    return used.get();
  }

  /** The number of retries left, never negative. */
  public int left() {
    return Math.max(0, limit - used.get());
  }
}
