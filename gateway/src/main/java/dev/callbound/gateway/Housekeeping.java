package dev.callbound.gateway;

import dev.callbound.gateway.bridge.Gates;
import dev.callbound.gateway.run.Runs;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.Purged;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What has to be done from time to time: end runs that are over, heed what was reset beside, forget
 * what is old enough.
 */
final class Housekeeping implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Housekeeping.class.getName());

  private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(1);

  /** Soon: a gateway that a client starts for itself seldom lives for an hour. */
  private static final Duration FIRST_PURGE = Duration.ofSeconds(20);

  private static final Duration BETWEEN_PURGES = Duration.ofHours(1);

  private final Runs runs;
  private final Gates gates;
  private final JournalStore journal;
  private final Duration retention;
  private final InstantSource clock;
  private final Thread sweeper;
  private final Thread purger;

  private Housekeeping(
      Runs runs, Gates gates, JournalStore journal, Duration retention, InstantSource clock) {
    this.runs = runs;
    this.gates = gates;
    this.journal = journal;
    this.retention = retention;
    this.clock = clock;
    this.sweeper =
        Thread.ofVirtual()
            .name("sweep")
            .unstarted(() -> each(BETWEEN_SWEEPS, BETWEEN_SWEEPS, this::sweep));
    // Apart from the sweep: forgetting a long past must not let a run go on past its deadline.
    this.purger =
        Thread.ofVirtual()
            .name("purge")
            .unstarted(() -> each(FIRST_PURGE, BETWEEN_PURGES, this::purge));
  }

  static Housekeeping start(
      Runs runs, Gates gates, JournalStore journal, Duration retention, InstantSource clock) {
    Housekeeping housekeeping = new Housekeeping(runs, gates, journal, retention, clock);
    housekeeping.sweeper.start();
    housekeeping.purger.start();
    return housekeeping;
  }

  private static void each(Duration first, Duration pause, Runnable work) {
    try {
      Thread.sleep(first);
      while (true) {
        work.run();
        Thread.sleep(pause);
      }
    } catch (InterruptedException e) {
      // Closed: there is nothing more to do.
    }
  }

  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (JournalException e) {
      // Tried again in the next round, when the disk may have space again.
      LOG.log(Level.WARNING, "housekeeping=failed {0}", e.getMessage());
    } catch (RuntimeException e) {
      // A bug; runs must end at their deadlines all the same.
      LOG.log(Level.ERROR, "housekeeping=failed_unexpectedly", e);
    }
  }

  private void sweep() {
    attempt(runs::sweep);
    attempt(gates::heedResets);
  }

  private void purge() {
    attempt(() -> journal.tasks().forget(clock.instant()));
    attempt(this::forget);
  }

  private void forget() {
    Purged purged = journal.purge(clock.instant().minus(retention));
    if (purged.calls() > 0 || purged.runs() > 0) {
      LOG.log(Level.DEBUG, "forgotten calls={0} runs={1}", purged.calls(), purged.runs());
    }
  }

  @Override
  public void close() {
    sweeper.interrupt();
    purger.interrupt();
  }
}
