package dev.callbound.policy;

import dev.callbound.policy.Entrance.State;
import java.util.ArrayList;
import java.util.List;

/** What has changed at an entrance and has not been told yet. Not thread-safe. */
final class News {
  private final List<State> untold = new ArrayList<>();
  private long number;

  /**
   * No news.
   *
   * @param firstNumber of the changes; the next one is greater
   */
  News(long firstNumber) {
    number = firstNumber;
  }

  /** The number of the latest change. */
  long number() {
    return number;
  }

  /** The number of a change that is about to be added. */
  long next() {
    return ++number;
  }

  void add(State state) {
    untold.add(state);
  }

  /** What has not been told yet; it counts as told. */
  List<State> take() {
    if (untold.isEmpty()) {
      return List.of();
    }
    List<State> taken = List.copyOf(untold);
    untold.clear();
    return taken;
  }
}
