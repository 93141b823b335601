package dev.callbound.policy;

import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * So many at a time; the others wait in the order in which they came, and no more than so many.
 *
 * <p>Not thread-safe.
 *
 * @param <T> who waits, told apart by identity or {@code equals}
 */
final class Line<T> {
  private final int places;
  private final int longest;
  private final LinkedHashSet<T> waiting = new LinkedHashSet<>();
  private int taken;

  /**
   * A line that is empty.
   *
   * @param places how many at a time; at least 1
   * @param longest how many may wait; zero or more
   */
  Line(int places, int longest) {
    if (places < 1 || longest < 0) {
      throw new IllegalArgumentException(
          "there is at least one place, and no negative line: " + places + ", " + longest);
    }
    this.places = places;
    this.longest = longest;
  }

  /** Takes a place, if there is one and it is the caller's turn. */
  boolean enter(T who) {
    boolean itsTurn = taken < places && (waiting.isEmpty() || waiting.getFirst().equals(who));
    if (itsTurn) {
      waiting.remove(who);
      taken++;
    }
    return itsTurn;
  }

  /** Joins the line, or stays in it; false when it is too long. */
  boolean join(T who) {
    if (waiting.contains(who)) {
      return true;
    }
    return waiting.size() < longest && waiting.add(who);
  }

  /** Leaves the line without having had a place. */
  void quit(T who) {
    waiting.remove(who);
  }

  /** Gives a place back. */
  void leave() {
    taken--;
  }

  /** Whose turn it is; empty where no place is free, or nobody waits. */
  Optional<T> next() {
    return taken < places && !waiting.isEmpty()
        ? Optional.of(waiting.getFirst())
        : Optional.empty();
  }

  Entrance.Crowd crowd() {
    return new Entrance.Crowd(taken, waiting.size(), places);
  }
}
