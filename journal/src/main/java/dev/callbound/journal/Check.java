package dev.callbound.journal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The checks that several records share. */
final class Check {
  private Check() {}

  /** The journal keeps milliseconds: what is read back must equal what was written. */
  static Instant millis(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS);
  }

  static void id(String id, String prefix) {
    if (!id.startsWith(prefix) || id.length() == prefix.length()) {
      throw new IllegalArgumentException("an id that begins with " + prefix + " is needed: " + id);
    }
  }
}
