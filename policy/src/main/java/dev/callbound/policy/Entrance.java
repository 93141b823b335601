package dev.callbound.policy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The entrance of one server. All its calls go through it, each by a {@link Gate} of its own.
 *
 * <p>Three things can be in a call's way, and are looked at in this order. It is turned away where
 * a circuit is open: that of its place, which is its tool or the whole server, or that of the
 * server's credentials, which a single 401 opens. It waits where the provider has named a wait, to
 * whomever. It waits in line where as many are inside as may be at once; the first who came goes
 * first. A wait that can't end before the call's own end is not begun.
 *
 * <p>Thread-safe. Its lock is held neither while somebody waits nor while somebody is told.
 */
public final class Entrance {
  /** The place of what belongs to no tool, and of every tool where the circuit is the server's. */
  public static final String SERVER = "";

  /** Beyond this, a place that there is nothing to remember of is forgotten. */
  private static final int MANY_PLACES = 1_000;

  /** What keeps calls out. */
  public enum Bar {
    /** The dependency has failed too often. */
    FAILURES,
    /** The server refused our credentials. */
    CREDENTIALS,
    /** The provider named a wait. */
    LIMIT;

    /** The name as it stands in the log, in the record and in answers, such as {@code failures}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What brought it about.
   *
   * @param failure the kind of failure, as in the record; empty where it is not known
   * @param detail the same for people, in the server's own words
   */
  public record Cause(String failure, String detail) {
    /** Nothing is known. */
    public static final Cause UNKNOWN = new Cause("", "");

    static Cause of(Failure failure) {
      return new Cause(failure.kind(), failure.detail());
    }
  }

  /**
   * What is in the way at a place, or no longer is.
   *
   * @param place a tool's name, or {@link #SERVER}
   * @param left for how long nobody passes; zero where somebody may
   * @param number grows with every change at this entrance: the greater one is the later one
   */
  public record State(
      String place, Bar bar, Circuit.State state, Duration left, Cause cause, long number) {}

  /**
   * How many are inside, and how many wait in line.
   *
   * @param places how many may be inside at once
   */
  public record Crowd(int inside, int waiting, int places) {}

  /**
   * Where a call goes.
   *
   * @param name a tool's name, or {@link #SERVER}
   * @param terms of the place's circuit; null for none
   * @param inLine whether it counts among those who are inside at once, and so may have to wait in
   *     line
   */
  public record Place(String name, Circuit.@Nullable Terms terms, boolean inLine) {}

  /**
   * How an entrance lets calls in.
   *
   * @param atOnce how many may be inside at once
   * @param inLine how many may wait in line
   * @param credentials of the circuit that a 401 opens: its cool-down; null for no such circuit
   * @param firstNumber the number of the latest change before
   */
  public record Order(
      int atOnce, int inLine, Circuit.@Nullable Terms credentials, long firstNumber) {}

  /** How a call waits. */
  public interface Waiting {
    /**
     * Waits so long, or until it is woken; a wake that came before counts.
     *
     * @throws InterruptedException when the call was cancelled before or during the wait
     */
    void await(Duration atMost) throws InterruptedException;

    /** Ends the wait. Called from any thread, and does not block. */
    void wake();
  }

  /** Hears of every change. The order is that of the numbers, not that of the calls. */
  @FunctionalInterface
  public interface Watcher {
    /** Something is in the way that was not, or is no longer. */
    void changed(State state);
  }

  private final Time time;
  private final RandomGenerator random;
  private final Watcher watcher;
  private final ReentrantLock lock = new ReentrantLock();
  private final News news;
  private final @Nullable WatchedCircuit credentials;
  private final Map<String, Way> ways = new LinkedHashMap<>();
  private final Line<Visit> line;
  private final Set<Visit> held = new LinkedHashSet<>();

  /** An entrance that nothing is in the way of. */
  public Entrance(Order order, Time time, RandomGenerator random, Watcher watcher) {
    this.time = time;
    this.random = random;
    this.watcher = watcher;
    this.news = new News(order.firstNumber());
    this.line = new Line<>(order.atOnce(), order.inLine());
    Circuit.Terms terms = order.credentials();
    this.credentials =
        terms == null
            ? null
            : new WatchedCircuit(
                SERVER,
                Bar.CREDENTIALS,
                new Circuit.Terms(1, terms.window(), terms.coolDown()),
                news,
                time,
                random);
  }

  /**
   * The gate of one call.
   *
   * @param timeout how long an attempt may take
   */
  public Gate gate(Place place, Duration timeout, Waiting waiting) {
    return by -> new Visit(wayTo(place), place.inLine(), timeout, by, waiting).enter();
  }

  /** Takes over what another process left: a circuit that was open, or a wait. */
  public void restore(Place place, Bar bar, Duration left, Cause cause) {
    try (Locked _ = new Locked()) {
      switch (bar) {
        case CREDENTIALS -> reopen(credentials, left, cause);
        case FAILURES -> reopen(way(place).circuit(), left, cause);
        case LIMIT -> way(place).limit(left, cause);
      }
    }
  }

  private static void reopen(@Nullable WatchedCircuit circuit, Duration left, Cause cause) {
    if (circuit != null) {
      circuit.reopen(left, cause);
    }
  }

  /**
   * Forgets what is in the way.
   *
   * @param place the one that is meant; null for all of them, and the credentials
   */
  public void reset(@Nullable String place) {
    try (Locked _ = new Locked()) {
      if (place == null && credentials != null) {
        credentials.reset();
      }
      ways.forEach(
          (name, way) -> {
            if (place == null || place.equals(name)) {
              way.reset();
            }
          });
      held.forEach(visit -> visit.waiting.wake());
    }
  }

  /** Something that did not come through here has failed so: it may be our credentials. */
  public void heard(Failure failure) {
    try (Locked _ = new Locked()) {
      if (credentials != null) {
        Circuit.Entry entry = credentials.enter(Deadline.after(Duration.ZERO, time));
        credentials.ended(entry, Blame.onCredentials(failure), failure);
      }
    }
  }

  /** Whether our credentials are refused, and it is not yet time to try them again. */
  public boolean refusesCredentials() {
    try (Locked _ = new Locked()) {
      return credentials != null && credentials.refusal() != null;
    }
  }

  /** How full it is. */
  public Crowd crowd() {
    try (Locked _ = new Locked()) {
      return line.crowd();
    }
  }

  private Way wayTo(Place place) {
    try (Locked _ = new Locked()) {
      return way(place);
    }
  }

  private Way way(Place place) {
    Way known = ways.get(place.name());
    if (known != null) {
      return known;
    }
    if (ways.size() >= MANY_PLACES) {
      ways.values().removeIf(Way::isFresh);
    }
    Way way = new Way(place.name(), place.terms(), news, time, random);
    ways.put(place.name(), way);
    return way;
  }

  /** Holds the lock; then lets the next in line know, and tells what has changed. */
  private final class Locked implements AutoCloseable {
    Locked() {
      lock.lock();
    }

    @Override
    public void close() {
      List<State> told;
      try {
        line.next().ifPresent(visit -> visit.waiting.wake());
        told = news.take();
      } finally {
        lock.unlock();
      }
      told.forEach(watcher::changed);
    }
  }

  /** One attempt of a call, from when it wants in until it is out again. */
  private final class Visit implements Gate.Pass {
    private final Way way;
    private final @Nullable WatchedCircuit circuit;
    private final boolean inLine;
    private final Duration timeout;
    private final Deadline by;
    private final Waiting waiting;
    private Hold.@Nullable Turn turn;
    private Circuit.@Nullable Entry withCredentials;
    private Circuit.@Nullable Entry withCircuit;

    Visit(Way way, boolean inLine, Duration timeout, Deadline by, Waiting waiting) {
      this.way = way;
      this.circuit = way.circuit();
      this.inLine = inLine;
      this.timeout = timeout;
      this.by = by;
      this.waiting = waiting;
    }

    Gate.Admission enter() throws InterruptedException {
      boolean over = false;
      try {
        while (true) {
          switch (next()) {
            case Step.Over(Gate.Admission admission) -> {
              over = true;
              return admission;
            }
            case Step.Wait(Deadline until) -> waiting.await(until.left(time));
          }
        }
      } finally {
        if (!over) {
          giveUp();
        }
      }
    }

    private Step next() {
      try (Locked _ = new Locked()) {
        Gate.Admission.Refused refusal = refusal();
        if (refusal != null) {
          return away(refusal);
        }
        turn = way.hold().turn(turn);
        if (turn != null) {
          line.quit(this);
          if (!turn.at().isBefore(by)) {
            return away(TurnedAway.byHold(way.hold().left(), by.left(time)));
          }
          held.add(this);
          return new Step.Wait(turn.at());
        }
        held.remove(this);
        if (!inLine || line.enter(this)) {
          Deadline until = Deadline.after(timeout, time).earlier(by);
          withCredentials = credentials == null ? null : credentials.enter(until);
          withCircuit = circuit == null ? null : circuit.enter(until);
          return new Step.Over(new Gate.Admission.Admitted(this));
        }
        if (by.passed(time)) {
          return away(TurnedAway.tooLate(line.crowd()));
        }
        return line.join(this) ? new Step.Wait(by) : away(TurnedAway.byLine(line.crowd()));
      }
    }

    private Gate.Admission.@Nullable Refused refusal() {
      Gate.Admission.Refused refusal = credentials == null ? null : credentials.refusal();
      return refusal != null || circuit == null ? refusal : circuit.refusal();
    }

    private Step away(Gate.Admission.Refused refusal) {
      stopWaiting();
      return new Step.Over(refusal);
    }

    private void stopWaiting() {
      held.remove(this);
      line.quit(this);
    }

    private void giveUp() {
      try (Locked _ = new Locked()) {
        stopWaiting();
      }
    }

    @Override
    public void used(Attempt attempt, @Nullable Failure failure) {
      try (Locked _ = new Locked()) {
        leave(Blame.onCredentials(failure), Blame.onTool(attempt, failure, timeout), failure);
        if (failure != null) {
          way.heard(failure);
        }
      }
    }

    @Override
    public void unused() {
      try (Locked _ = new Locked()) {
        leave(Circuit.Sign.NONE, Circuit.Sign.NONE, null);
      }
    }

    private void leave(Circuit.Sign ofCredentials, Circuit.Sign ofTool, @Nullable Failure failure) {
      if (inLine) {
        line.leave();
      }
      if (credentials != null) {
        credentials.ended(withCredentials, ofCredentials, failure);
      }
      if (circuit != null) {
        circuit.ended(withCircuit, ofTool, failure);
      }
    }
  }

  /** What comes next for one who wants in. */
  private sealed interface Step {
    /** To wait, and to ask again. */
    record Wait(Deadline until) implements Step {}

    /** Nothing: it is in, or has been turned away. */
    record Over(Gate.Admission admission) implements Step {}
  }
}
