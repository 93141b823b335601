package dev.callbound.journal;

import java.time.Instant;

/**
 * A process that was started for a server, so that the next start can clean up what a killed
 * gateway left.
 *
 * @param startedAt when the process itself says that it started, in whole milliseconds: together
 *     with the pid it tells the process from a later one that was given the same pid
 */
public record ChildProcess(long pid, Instant startedAt, String server) {
  public ChildProcess {
    if (pid < 1) {
      throw new IllegalArgumentException("pid must be positive: " + pid);
    }
    startedAt = Check.millis(startedAt);
  }
}
