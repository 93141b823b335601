package dev.callbound.gateway.bridge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The intents that are being seen to now: whoever comes with one of them joins it, and never starts
 * a second. Intents don't wait for one another. Thread-safe.
 */
final class Flights {
  private final Map<String, Flight> flights = new ConcurrentHashMap<>();

  /** What a request finds in its place. */
  sealed interface Entry {
    /** Nobody: it has the place now, waits in its own flight, and must leave it. */
    record Own() implements Entry {}

    /** The same, under way: it waits there, and is answered from there. */
    record Joined(Flight flight) implements Entry {}

    /** Something else under the same name. */
    record Taken(Flight flight) implements Entry {}

    /** The same, with far too many who wait. */
    record Full() implements Entry {}
  }

  /**
   * Enters a place.
   *
   * @param mine what the request is about
   * @param name the name that its client calls the tool by
   * @param stay how long it waits
   */
  Entry enter(String place, Flight mine, Session session, Talk talk, String name, Stay stay) {
    while (true) {
      Flight other = flights.putIfAbsent(place, mine);
      if (other == null) {
        mine.audience().join(session, talk, name, stay);
        return new Entry.Own();
      }
      if (!other.isSame(mine)) {
        return new Entry.Taken(other);
      }
      switch (other.audience().join(session, talk, name, stay)) {
        case JOINED -> {
          return new Entry.Joined(other);
        }
        case FULL -> {
          return new Entry.Full();
        }
        // It is over, and about to leave: the record knows how it ended.
        case ANSWERED -> flights.remove(place, other);
      }
    }
  }

  /** Enters a place that nobody can be in yet, for a call that nobody waits for yet. */
  void enter(String place, Flight flight) {
    flights.put(place, flight);
  }

  /** The flight is over, and its outcome is where the next who asks will look. */
  void leave(String place, Flight flight) {
    flights.remove(place, flight);
  }
}
