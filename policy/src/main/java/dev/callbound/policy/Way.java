package dev.callbound.policy;

import dev.callbound.policy.Entrance.Bar;
import dev.callbound.policy.Entrance.State;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What can be in the way of the calls to one place: its circuit, and a wait. Not thread-safe. */
final class Way {
  private final String place;
  private final @Nullable WatchedCircuit circuit;
  private final Hold hold;
  private final News news;
  private Entrance.Cause cause = Entrance.Cause.UNKNOWN;

  /**
   * A way that is free.
   *
   * @param terms of its circuit; null for none
   */
  Way(String place, Circuit.@Nullable Terms terms, News news, Time time, RandomGenerator random) {
    this.place = place;
    this.circuit =
        terms == null ? null : new WatchedCircuit(place, Bar.FAILURES, terms, news, time, random);
    this.hold = new Hold(time, random);
    this.news = news;
  }

  /** The circuit; null where there is none. */
  @Nullable WatchedCircuit circuit() {
    return circuit;
  }

  Hold hold() {
    return hold;
  }

  /** An attempt has failed so: the provider may have named a wait. */
  void heard(Failure failure) {
    Duration wait = Blame.wait(failure);
    if (wait != null && hold.told(wait)) {
      cause = Entrance.Cause.of(failure);
      tellLimit();
    }
  }

  /** There is a wait, as another process left it. */
  void limit(Duration left, Entrance.Cause its) {
    cause = its;
    hold.told(left);
  }

  void reset() {
    if (circuit != null) {
      circuit.reset();
    }
    boolean held = hold.left().isPositive();
    hold.reset();
    if (held) {
      tellLimit();
    }
  }

  /** Whether there is nothing to remember. */
  boolean isFresh() {
    return hold.isOver() && (circuit == null || circuit.isFresh());
  }

  private void tellLimit() {
    news.next();
    news.add(limit());
  }

  private State limit() {
    Duration left = hold.left();
    return new State(
        place,
        Bar.LIMIT,
        left.isPositive() ? Circuit.State.OPEN : Circuit.State.CLOSED,
        left,
        cause,
        news.number());
  }
}
