package dev.callbound.gateway.upstream.stdio;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A process and all that it started. Thread-safe: signalling twice does no harm, and what has been
 * seen to be gone is never signalled again, since its number may be somebody else's by then.
 */
sealed interface Family {
  /** How often a family that is to end is looked at. */
  Duration INTERVAL = Duration.ofMillis(5);

  /** Whether any member is there. */
  boolean alive();

  /** Asks every member to end. */
  void terminate();

  /** Ends every member. */
  void kill();

  /** Waits until no member is there, and returns whether it came to that. */
  default boolean awaitEnd(Duration patience) {
    return awaitNot(this::alive, patience);
  }

  /**
   * Waits until something is no longer so. An interrupt does not cut it short: a stop is bounded
   * already, and one that was left half way leaves processes behind.
   *
   * @return whether it came to that
   */
  static boolean awaitNot(BooleanSupplier alive, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    try {
      while (alive.getAsBoolean()) {
        if (System.nanoTime() - until >= 0) {
          return false;
        }
        LockSupport.parkNanos(INTERVAL.toNanos());
        interrupted |= Thread.interrupted();
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A process group of its own: complete, even when its leader has gone. */
  final class Group implements Family {
    /** Whoever has this number inherits the children of all who ended before them. */
    private static final long FIRST_PROCESS = 1;

    private final Signals signals;
    private final ProcessHandle leader;
    private volatile boolean gone;

    Group(Signals signals, ProcessHandle leader) {
      this.signals = signals;
      this.leader = leader;
    }

    @Override
    public boolean alive() {
      if (gone) {
        return false;
      }
      if (leader.isAlive()) {
        return true;
      }
      gone =
          ProcessTable.isThere()
              ? ProcessTable.noneRuns(leader.pid())
              : !signals.exists(leader.pid());
      if (gone && ProcessHandle.current().pid() == FIRST_PROCESS) {
        signals.reap(leader.pid());
      }
      return !gone;
    }

    @Override
    public void terminate() {
      signal(Signals.TERM);
    }

    @Override
    public void kill() {
      signal(Signals.KILL);
    }

    private void signal(int signal) {
      if (alive()) {
        signals.send(leader.pid(), signal);
      }
    }
  }

  /**
   * Where there are no groups: the process and its descendants, as far as they were seen. One whose
   * parent ended before anybody looked is missed.
   */
  final class Descendants implements Family {
    private final ProcessHandle leader;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    Descendants(ProcessHandle leader) {
      this.leader = leader;
    }

    @Override
    public boolean alive() {
      return members().stream().anyMatch(ProcessHandle::isAlive);
    }

    @Override
    public void terminate() {
      members().forEach(ProcessHandle::destroy);
    }

    @Override
    public void kill() {
      members().forEach(ProcessHandle::destroyForcibly);
    }

    private Set<ProcessHandle> members() {
      lock.lock();
      try {
        seen.add(leader);
        Set.copyOf(seen).forEach(member -> member.descendants().forEach(seen::add));
        return Set.copyOf(seen);
      } finally {
        lock.unlock();
      }
    }
  }
}
