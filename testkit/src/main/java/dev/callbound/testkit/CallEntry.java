package dev.callbound.testkit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call in the ledger, while it runs: whether it was cancelled, and how it ended. Thread-safe.
 */
final class CallEntry {
  private final int n;
  private final String tool;
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final AtomicReference<@Nullable String> outcome = new AtomicReference<>();

  CallEntry(int n, String tool) {
    this.n = n;
    this.tool = tool;
  }

  int n() {
    return n;
  }

  String tool() {
    return tool;
  }

  void cancel() {
    cancelled.countDown();
  }

  /** Waits for this long or until the call is cancelled, and says whether it was. */
  boolean awaitCancel(Duration wait) throws InterruptedException {
    return cancelled.await(wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Sets the outcome unless there is one, and says whether it did. */
  boolean end(String how) {
    return outcome.compareAndSet(null, how);
  }

  /** How the call ended; null while it runs. */
  @Nullable String outcome() {
    return outcome.get();
  }
}
