package dev.callbound.gateway;

import dev.callbound.gateway.upstream.stdio.Leftovers;
import dev.callbound.gateway.upstream.stdio.ProcessLedger;
import dev.callbound.journal.ChildProcess;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;

/**
 * The processes of this gateway, written down in its journal. Where that can't be done, the process
 * is started all the same: a leftover is a nuisance, and no call depends on it. Thread-safe.
 */
final class JournaledProcesses implements ProcessLedger {
  private static final System.Logger LOG = System.getLogger(JournaledProcesses.class.getName());

  private final JournalStore journal;

  JournaledProcesses(JournalStore journal) {
    this.journal = journal;
  }

  /** Ends what a gateway before this one has left running. */
  void cleanUp() {
    List<ChildProcess> left = journal.processesLeft();
    if (left.isEmpty()) {
      return;
    }
    List<Leftovers.Leftover> ended =
        Leftovers.clean(
            left.stream()
                .map(process -> new Leftovers.Leftover(process.pid(), process.startedAt()))
                .toList());
    ended.forEach(
        process ->
            LOG.log(
                Level.WARNING,
                "pid={0,number,#} ended: a gateway that died had left it running",
                process.pid()));
    left.forEach(process -> ended(process.pid()));
  }

  @Override
  public void started(long pid, Instant startedAt, String server) {
    try {
      journal.processStarted(new ChildProcess(pid, startedAt, server));
    } catch (JournalException e) {
      notRecorded(pid, e);
    }
  }

  @Override
  public void ended(long pid) {
    try {
      journal.processEnded(pid);
    } catch (JournalException e) {
      notRecorded(pid, e);
    }
  }

  private static void notRecorded(long pid, JournalException e) {
    LOG.log(Level.WARNING, "pid={0,number,#} recorded=no {1}", pid, e.getMessage());
  }
}
