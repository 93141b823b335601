package dev.callbound.gateway.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A process and all that it started. Thread-safe: signalling twice does no harm, and what has been
 * seen to be gone is never signalled again, since its number may be somebody else's by then.
 */
public sealed interface Family {
  /** How often a family that is to end is looked at. */
  Duration INTERVAL = Duration.ofMillis(5);

  /** How long its members may take to be gone after they were killed. */
  Duration KILL_PATIENCE = Duration.ofSeconds(2);

  /** The group that a process leads; else it and its descendants. */
  static Family of(ProcessHandle process) {
    return Signals.ofSystem()
        .filter(signals -> signals.exists(process.pid()))
        .<Family>map(signals -> new Group(signals, process))
        .orElseGet(() -> new Descendants(process));
  }

  /**
   * What is left of a group whose first process has gone, where that can be told for sure (Linux):
   * a group's number may be somebody else's by now.
   *
   * @param group its number, which was that of its first process
   * @param since when that started: no member did before
   * @param variable what the environment of every member sets
   */
  static Family orphans(long group, Instant since, String variable) {
    return new Orphans(group, since, variable);
  }

  /** Whether any member is there. */
  boolean alive();

  /**
   * Sends every member a signal, by its number. Where there are no groups any signal but KILL asks
   * to end.
   */
  void signal(int signal);

  /** Asks every member to end. */
  default void terminate() {
    signal(Signals.TERM);
  }

  /** Ends every member. */
  default void kill() {
    signal(Signals.KILL);
  }

  /**
   * Ends every member: asks them to, gives them time, and kills those that are still there.
   *
   * @return whether nothing is left
   */
  default boolean end(Duration grace) {
    terminate();
    if (awaitEnd(grace)) {
      return true;
    }
    kill();
    return awaitEnd(KILL_PATIENCE);
  }

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

  /** Where each is signalled by itself, any signal but KILL asks to end. */
  private static void signalEach(Collection<ProcessHandle> members, int signal) {
    members.forEach(
        signal == Signals.KILL ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
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
    public void signal(int signal) {
      if (alive()) {
        signals.send(leader.pid(), signal);
      }
    }
  }

  /** Those that outlived the first process of their group. Each is looked at before each signal. */
  final class Orphans implements Family {
    private final long group;
    private final Instant since;
    private final String variable;

    Orphans(long group, Instant since, String variable) {
      this.group = group;
      this.since = since;
      this.variable = variable;
    }

    @Override
    public boolean alive() {
      return !members().isEmpty();
    }

    @Override
    public void signal(int signal) {
      signalEach(members(), signal);
    }

    private List<ProcessHandle> members() {
      if (!ProcessTable.isThere()) {
        return List.of();
      }
      try {
        return ProcessTable.members(group, Integer.MAX_VALUE).stream()
            .filter(pid -> ProcessTable.isSet(pid, variable))
            .flatMap(pid -> ProcessHandle.of(pid).stream())
            .filter(this::startedSince)
            .toList();
      } catch (IOException | DirectoryIteratorException _) {
        return List.of();
      }
    }

    private boolean startedSince(ProcessHandle member) {
      return member.info().startInstant().filter(start -> !start.isBefore(since)).isPresent();
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
    public void signal(int signal) {
      signalEach(members(), signal);
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
