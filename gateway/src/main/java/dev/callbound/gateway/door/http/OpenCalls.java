package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.InFlight;
import java.time.Duration;

/** The calls in flight, and whether more may come. Thread-safe. */
final class OpenCalls {
  /** Whether a call may begin. */
  enum Entry {
    IN,
    /** As many as may be are in flight. */
    FULL,
    /** The door is closing. */
    CLOSING
  }

  private final InFlight inFlight = new InFlight();
  private final int most;
  private volatile boolean closing;

  OpenCalls(int most) {
    this.most = most;
  }

  /** Asks to begin a call; whoever got in must {@link #leave}. */
  Entry enter() {
    if (!inFlight.enter(most)) {
      return closing ? Entry.CLOSING : Entry.FULL;
    }
    // Looked at last: whoever closes and then counts counts this call, or it does not begin.
    if (closing) {
      inFlight.leave();
      return Entry.CLOSING;
    }
    return Entry.IN;
  }

  /** A call has ended. */
  void leave() {
    inFlight.leave();
  }

  int count() {
    return inFlight.count();
  }

  /** Lets no more in. */
  void close() {
    closing = true;
  }

  /** Waits until none is in flight; false when the patience ended first. */
  boolean awaitNone(Duration patience) throws InterruptedException {
    return inFlight.awaitNone(patience);
  }
}
