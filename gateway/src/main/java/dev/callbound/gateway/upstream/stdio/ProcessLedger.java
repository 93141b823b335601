package dev.callbound.gateway.upstream.stdio;

import java.time.Instant;

/**
 * Where it is written down which processes this gateway has started, so that one that is killed can
 * be cleaned up after by its successor ({@link Leftovers}). Thread-safe; called from several
 * threads.
 */
public interface ProcessLedger {
  /** Keeps nothing. */
  ProcessLedger NONE =
      new ProcessLedger() {
        @Override
        public void started(long pid, Instant startedAt, String server) {}

        @Override
        public void ended(long pid) {}
      };

  /**
   * A process was started. Called before anything is sent to it.
   *
   * @param pid its number, which is that of its process group too
   * @param startedAt when it started, as the system says: with the number it tells the process from
   *     a later one of the same number
   * @param server the name of the server that it is, as configured
   */
  void started(long pid, Instant startedAt, String server);

  /** A process and all that it started have ended. */
  void ended(long pid);
}
