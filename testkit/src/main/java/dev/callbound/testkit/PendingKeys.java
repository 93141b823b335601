package dev.callbound.testkit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The idempotency keys whose first call is still at work. Thread-safe. */
final class PendingKeys {
  private final Map<String, CountDownLatch> pending = new ConcurrentHashMap<>();

  /** Claims the key, and returns the latch of the call that has it already; null if claimed. */
  @Nullable CountDownLatch claim(String key) {
    return pending.putIfAbsent(key, new CountDownLatch(1));
  }

  void release(String key) {
    CountDownLatch latch = pending.remove(key);
    if (latch != null) {
      latch.countDown();
    }
  }

  void clear() {
    pending.keySet().forEach(this::release);
  }
}
