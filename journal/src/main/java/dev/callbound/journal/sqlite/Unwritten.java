package dev.callbound.journal.sqlite;

import dev.callbound.journal.CallRecord;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The intents whose calls are in the queue and not yet on disk. Whoever looks for one of those must
 * wait for the queue; for any other, what is on disk is the truth. Thread-safe.
 */
final class Unwritten {
  /** What a call is looked for by. */
  sealed interface Sought {
    /** By its key. */
    record Key(String key) implements Sought {}

    /** By its step. */
    record Step(String run, String step, String server, String tool) implements Sought {}
  }

  private final ConcurrentMap<Sought, Integer> queued = new ConcurrentHashMap<>();

  /** Notes a call that is about to be handed in, until its write is done. */
  void note(CallRecord call, Write<?> opening) {
    if (call.key() != null) {
      note(new Sought.Key(call.key()), opening);
    }
    if (call.step() != null) {
      note(new Sought.Step(call.run(), call.step(), call.server(), call.tool()), opening);
    }
  }

  private void note(Sought sought, Write<?> opening) {
    queued.merge(sought, 1, Integer::sum);
    opening.whenDone(() -> queued.computeIfPresent(sought, (_, n) -> n == 1 ? null : n - 1));
  }

  boolean has(Sought sought) {
    return queued.containsKey(sought);
  }
}
