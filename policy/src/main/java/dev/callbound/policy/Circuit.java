package dev.callbound.policy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The recent failures of a dependency, and whether calls pass.
 *
 * <pre>
 *   closed ── N failures within the window ──▶ open ── cool-down ──▶ half-open: one probe
 *      ▲                                        ▲                      │
 *      └────────────── it worked ───────────────┼──────────────────────┤
 *                                               └────── it failed ─────┘
 * </pre>
 *
 * <p>It opens at N failures within the window, unless more attempts worked than failed from the
 * first of these to the last: a tool that is asked a hundred times a second and fails now and then
 * is not down.
 *
 * <p>An attempt speaks for the time in which it began. One that began before the circuit last
 * changed, and ends after it, no longer counts: an old timeout must not open what has been seen to
 * work since, nor an old success close what has failed since.
 *
 * <p>The cool-down is drawn anew each time, from three quarters of what is configured to all of it,
 * so that many circuits don't probe together. Then exactly one attempt passes. A probe that ends
 * without having said anything, because it was cancelled, frees its place; one of which nothing is
 * heard holds it no longer than to its own deadline.
 *
 * <p>Not thread-safe.
 */
public final class Circuit {
  /**
   * When it opens, and for how long.
   *
   * @param failures how many failures open it; at least 1
   * @param window within how long; more than zero
   * @param coolDown how long it stays open at most before a probe is let through; more than zero
   */
  public record Terms(int failures, Duration window, Duration coolDown) {
    public Terms {
      if (failures < 1) {
        throw new IllegalArgumentException("failures must be at least 1: " + failures);
      }
      if (!window.isPositive() || !coolDown.isPositive()) {
        throw new IllegalArgumentException(
            "window and cool-down must be positive: " + window + ", " + coolDown);
      }
    }
  }

  /** The three states. */
  public enum State {
    /** Calls pass. */
    CLOSED,
    /** Calls are turned away; once the cool-down is over, the next one is the probe. */
    OPEN,
    /** Calls are turned away while one of them probes. */
    HALF_OPEN;

    /**
     * The name as it stands in the log, in the record and in answers, such as {@code half_open}.
     */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the end of an attempt says about the dependency. */
  public enum Sign {
    FAILED,
    WORKED,
    /** Nothing at all. */
    NONE
  }

  private record Failed(long atNanos, long workedBefore) {}

  private final Terms terms;
  private final Time time;
  private final RandomGenerator random;

  /** The last failures in the closed state, as many as open it at most. */
  private final Deque<Failed> failed = new ArrayDeque<>();

  /** How many attempts have worked; only differences count. */
  private long worked;

  private boolean closed = true;
  private long coolNanos;
  private @Nullable Entry probe;

  /** Counts the changes, so that an attempt can tell whether it began before the last one. */
  private long era;

  /** A closed circuit. */
  public Circuit(Terms terms, Time time, RandomGenerator random) {
    this.terms = terms;
    this.time = time;
    this.random = random;
  }

  /** One of the attempts that passed. */
  public final class Entry {
    private final Deadline until;
    private final long begun = era;
    private boolean over;

    private Entry(Deadline until) {
      this.until = until;
    }

    /** The attempt is over. Said again, it counts for nothing. */
    public void ended(Sign sign) {
      if (over) {
        return;
      }
      over = true;
      boolean isProbe = probe == this;
      if (isProbe) {
        probe = null;
      }
      if (begun != era) {
        return;
      }
      switch (sign) {
        case FAILED -> {
          if (isProbe) {
            open();
          } else if (closed) {
            count();
          }
        }
        case WORKED -> {
          if (isProbe) {
            close();
          } else {
            worked++;
          }
        }
        case NONE -> {}
      }
    }
  }

  /**
   * Lets an attempt pass, or does not.
   *
   * @param until when the attempt is over at the latest: so long it holds the place of the probe
   * @return null when it does not pass
   */
  public @Nullable Entry enter(Deadline until) {
    if (!passes()) {
      return null;
    }
    Entry entry = new Entry(until);
    if (!closed) {
      probe = entry;
    }
    return entry;
  }

  /** Whether an attempt would pass now. */
  public boolean passes() {
    return closed || (state() == State.OPEN && left().isZero());
  }

  /** The state; half-open exactly while a probe is on its way. */
  public State state() {
    if (closed) {
      return State.CLOSED;
    }
    return probe == null || probe.until.passed(time) ? State.OPEN : State.HALF_OPEN;
  }

  /** How long it stays open before a probe is let through; zero where it is not open. */
  public Duration left() {
    return closed ? Duration.ZERO : new Deadline(coolNanos).left(time);
  }

  /** Whether it remembers nothing that counts: as good as a new one. */
  boolean isFresh() {
    return closed && (failed.isEmpty() || !isWithinTheWindow(failed.getLast()));
  }

  /** Opens it for so long, as it was when another process had it; at most for the cool-down. */
  public void reopen(Duration left) {
    open();
    coolNanos = time.nanos() + Math.min(left.toNanos(), terms.coolDown().toNanos());
  }

  /** Closes it and forgets the failures: somebody knows better. */
  public void reset() {
    close();
  }

  private void count() {
    failed.addLast(new Failed(time.nanos(), worked));
    if (failed.size() > terms.failures()) {
      failed.removeFirst();
    }
    Failed first = failed.getFirst();
    boolean oftenEnough = worked - first.workedBefore() <= terms.failures();
    if (failed.size() == terms.failures() && isWithinTheWindow(first) && oftenEnough) {
      open();
    }
  }

  private boolean isWithinTheWindow(Failed failure) {
    return time.nanos() - failure.atNanos() <= terms.window().toNanos();
  }

  private void open() {
    change(false);
    long longest = terms.coolDown().toNanos();
    coolNanos = time.nanos() + random.nextLong(longest - longest / 4, longest + 1);
  }

  private void close() {
    change(true);
  }

  private void change(boolean toClosed) {
    closed = toClosed;
    era++;
    probe = null;
    failed.clear();
  }
}
