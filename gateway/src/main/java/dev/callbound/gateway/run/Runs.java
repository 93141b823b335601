package dev.callbound.gateway.run;

import dev.callbound.gateway.config.RunConfig;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.OpenedRun;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunRequest;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Money;
import dev.callbound.policy.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Opens runs, finds them again, and ends them. Thread-safe.
 *
 * <p>A client may name its run, by id or by a name of its own. One that names none gets one: a
 * session has one to itself, and a client without sessions shares one with everything that comes
 * from the same principal and client, until it is over or has long been idle.
 */
public final class Runs {
  private static final int MOST_RUNS_LISTED = 1_000;

  /** How long the calls of a run that has expired have to end by themselves. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private static final String SESSION_ENDED = "its session ended";

  private static final Set<RunState> RUNNING = EnumSet.of(RunState.RUNNING);

  private final RunConfig config;
  private final JournalStore journal;
  private final Ids ids;
  private final Time time;
  private final InstantSource clock;
  private final Map<String, Run> live = new ConcurrentHashMap<>();
  private final Map<Owner, Run> unnamed = new ConcurrentHashMap<>();

  /** The running ones by their names, so that a call that names its run waits for no disk. */
  private final Map<Name, Run> named = new ConcurrentHashMap<>();

  /** Those whose session has ended, and for which something still goes on. */
  private final Set<Run> winding = ConcurrentHashMap.newKeySet();

  private final ReentrantLock opening = new ReentrantLock();

  private record Owner(String principal, String client) {}

  private record Name(String principal, String name) {}

  /** Runs that are remembered in the journal. */
  public Runs(RunConfig config, JournalStore journal, Ids ids, Time time, InstantSource clock) {
    this.config = config;
    this.journal = journal;
    this.ids = ids;
    this.time = time;
    this.clock = clock;
  }

  /**
   * Opens a run, or finds the principal's run of that name, in whatever state it is.
   *
   * @param name what its client calls it; null for a run without a name
   * @param deadline how long it may take; null for the configured default
   * @param retries how many retries it may make; null for the configured default
   */
  public Run open(
      String principal,
      String client,
      @Nullable String name,
      @Nullable Duration deadline,
      @Nullable Integer retries) {
    return known(
        request(principal, client, name, deadline, retries, null, RunRequest.NONE, List.of())
            .run());
  }

  /**
   * Opens a run as it is asked for; or finds the one that the principal asked for before, in
   * whatever state it is: by the request's key, else by the name.
   *
   * @param spend how much it may spend; null for the configured default
   * @param request what of the request is remembered; for the rest see {@link #open}
   * @param outputs what the run is expected to bring about
   */
  public OpenedRun request(
      String principal,
      String client,
      @Nullable String name,
      @Nullable Duration deadline,
      @Nullable Integer retries,
      @Nullable Money spend,
      RunRequest request,
      List<String> outputs) {
    Instant now = clock.instant();
    OpenedRun opened =
        journal.openRun(
            RunRecord.running(
                ids.run(),
                name,
                principal,
                client,
                now,
                now.plus(deadline == null ? config.deadline() : deadline),
                retries == null ? config.retries() : retries,
                spend == null ? config.spend() : spend),
            request,
            outputs);
    Run run = known(opened.run());
    String its = opened.run().name();
    if (its != null) {
      named.put(new Name(principal, its), run);
    }
    return opened;
  }

  /**
   * The run that a request names.
   *
   * @param idOrName an id, which must exist; or a name, which is opened if need be
   * @return empty when there is no run of that id, or it is another principal's
   */
  public Optional<Run> named(String principal, String client, String idOrName) {
    if (!idOrName.startsWith(Ids.RUN)) {
      Run known = named.get(new Name(principal, idOrName));
      // One that is over may have been forgotten since, and its name be free again.
      if (known != null && !known.over()) {
        return Optional.of(known);
      }
      return Optional.of(open(principal, client, idOrName, null, null));
    }
    return find(idOrName).filter(run -> run.record().principal().equals(principal));
  }

  /** The run of whatever comes from this principal and client without a name or a session. */
  public Run unnamed(String principal, String client) {
    Owner owner = new Owner(principal, client);
    Run known = unnamed.get(owner);
    if (known != null && usable(known)) {
      return known;
    }
    opening.lock();
    try {
      Run again = unnamed.get(owner);
      if (again != null && usable(again)) {
        return again;
      }
      // After a restart the last one goes on, with what it has left.
      Run run =
          journal.runs(RUNNING, MOST_RUNS_LISTED).stream()
              .filter(
                  record ->
                      record.name() == null
                          && record.principal().equals(principal)
                          && record.client().equals(client))
              .findFirst()
              .filter(record -> again == null || !record.id().equals(again.id()))
              .map(this::known)
              .filter(this::usable)
              .orElseGet(() -> open(principal, client, null, null, null));
      unnamed.put(owner, run);
      return run;
    } finally {
      opening.unlock();
    }
  }

  /** A run by its id, as this process knows it. */
  public Optional<Run> find(String id) {
    Run known = live.get(id);
    return known != null ? Optional.of(known) : journal.run(id).map(this::known);
  }

  /**
   * A run's record as it stands now, retries counted.
   *
   * @return empty when there is no run of that id, or it is another principal's
   */
  public Optional<RunRecord> record(String principal, String id) {
    return journal.run(id).filter(run -> run.principal().equals(principal));
  }

  /** The principal's newest runs, newest first. */
  public List<RunRecord> list(String principal, Set<RunState> states, int limit) {
    return journal.runs(states, MOST_RUNS_LISTED).stream()
        .filter(run -> run.principal().equals(principal))
        .limit(limit)
        .toList();
  }

  /** Ends a run, and everything that goes on within it, at once. Does nothing when it is over. */
  public RunRecord end(Run run, RunState state, String because) {
    RunRecord ended = journal.endRun(run.id(), state, because, clock.instant());
    run.ended(ended);
    live.remove(run.id());
    return ended;
  }

  /**
   * Ends the run of a session that has ended: at once, unless something goes on in it that a client
   * comes back for; then when that has ended.
   */
  public void sessionEnded(Run run) {
    if (run.over()) {
      return;
    }
    if (run.outlivesClient()) {
      winding.add(run);
    } else {
      end(run, RunState.DONE, SESSION_ENDED);
    }
  }

  /** Marks that a call was made in the run. */
  public void used(Run run) {
    run.usedAt(clock.instant());
  }

  /** Ends the runs whose deadline has passed, and those without a name that have long been idle. */
  public void sweep() {
    for (Run run : List.copyOf(live.values())) {
      if (run.over()) {
        live.remove(run.id());
      } else if (expired(run)) {
        end(run, RunState.EXPIRED, "its deadline passed");
      } else if (winding.contains(run) && !run.busy()) {
        end(run, RunState.DONE, SESSION_ENDED);
      } else if (run.record().name() == null && unnamed.containsValue(run) && idle(run)) {
        end(run, RunState.DONE, "no call for " + config.idleAfter());
      }
    }
    unnamed.values().removeIf(Run::over);
    named.values().removeIf(Run::over);
    winding.removeIf(Run::over);
  }

  /**
   * Whether a run is to be ended for its deadline. Its calls end by that deadline themselves, each
   * with its own outcome; only one that does not is cancelled for it.
   */
  private boolean expired(Run run) {
    long overdue = time.nanos() - run.deadline().atNanos();
    return overdue >= (run.busy() ? LAST_WORDS.toNanos() : 0);
  }

  private boolean usable(Run run) {
    return !run.over() && !run.deadline().passed(time) && !idle(run);
  }

  private boolean idle(Run run) {
    return !run.busy() && run.lastUsed().plus(config.idleAfter()).isBefore(clock.instant());
  }

  /** The one object that stands for a run in this process: its budget is counted in one place. */
  private Run known(RunRecord record) {
    return live.computeIfAbsent(
        record.id(),
        id -> {
          Duration left = Duration.between(clock.instant(), record.deadline());
          Run run = new Run(record, Deadline.after(left.isNegative() ? Duration.ZERO : left, time));
          run.usedAt(clock.instant());
          return run;
        });
  }
}
