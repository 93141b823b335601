package dev.callbound.gateway.bridge;

import dev.callbound.journal.CallRecord;

/** A call that is going on, as those see it who come back for it. Thread-safe. */
interface OpenCall {
  CallRecord record();

  /** Everyone who waits for it. */
  Audience audience();

  /** How it stands now. */
  Standing standing();

  /**
   * Records that somebody comes back for it. On disk when it returns.
   *
   * @return false when that can't be recorded now
   */
  boolean detach();

  /** The client that comes back for it takes it back. */
  void cancel();

  /**
   * The gateway stops. What can go on in the next process is left open for it; anything else is
   * cancelled, and ends recorded.
   */
  void shutDown();

  /** Whether it waits for a person, so that nothing of it is going on. */
  boolean waitsForPerson();
}
