package dev.callbound.policy;

import dev.callbound.policy.Entrance.Bar;
import dev.callbound.policy.Entrance.State;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A circuit whose changes are told, with what brought them about. Not thread-safe. */
final class WatchedCircuit {
  private final String place;
  private final Bar bar;
  private final Circuit.Terms terms;
  private final Circuit circuit;
  private final News news;
  private Circuit.State told = Circuit.State.CLOSED;
  private Entrance.Cause cause = Entrance.Cause.UNKNOWN;

  /** A closed one. */
  WatchedCircuit(
      String place, Bar bar, Circuit.Terms terms, News news, Time time, RandomGenerator random) {
    this.place = place;
    this.bar = bar;
    this.terms = terms;
    this.circuit = new Circuit(terms, time, random);
    this.news = news;
  }

  /** What a call is told that does not pass; null when it would pass. */
  Gate.Admission.@Nullable Refused refusal() {
    if (circuit.passes()) {
      return null;
    }
    Duration left = circuit.left().isPositive() ? circuit.left() : null;
    return switch (bar) {
      case CREDENTIALS -> TurnedAway.byCredentials(left);
      case FAILURES, LIMIT -> TurnedAway.byCircuit(terms, cause, left);
    };
  }

  /** See {@link Circuit#enter}. */
  Circuit.@Nullable Entry enter(Deadline until) {
    Circuit.Entry entry = circuit.enter(until);
    tellIfChanged();
    return entry;
  }

  /** One that had passed is over; null for one that this circuit was not asked about. */
  void ended(Circuit.@Nullable Entry entry, Circuit.Sign sign, @Nullable Failure failure) {
    if (entry != null) {
      if (sign == Circuit.Sign.FAILED && failure != null) {
        cause = Entrance.Cause.of(failure);
      }
      entry.ended(sign);
      tellIfChanged();
    }
  }

  /** It is as another process left it. */
  void reopen(Duration left, Entrance.Cause its) {
    circuit.reopen(left);
    cause = its;
    told = circuit.state();
  }

  void reset() {
    circuit.reset();
    tellIfChanged();
  }

  /** Whether it is as good as a new one. */
  boolean isFresh() {
    return circuit.isFresh();
  }

  private State state() {
    return new State(place, bar, circuit.state(), circuit.left(), cause, news.number());
  }

  private void tellIfChanged() {
    if (circuit.state() != told) {
      told = circuit.state();
      news.next();
      news.add(state());
    }
  }
}
