package dev.callbound.gateway.bridge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The intents that are being seen to now: whoever comes with one of them joins it, and never starts
 * a second. Intents don't wait for one another. Thread-safe.
 */
final class Flights {
  private final Map<String, Flight> flights = new ConcurrentHashMap<>();

  /** The flight that stands in this place already; null when the given one now does. */
  @Nullable Flight enter(String place, Flight flight) {
    return flights.putIfAbsent(place, flight);
  }

  /** The flight is over, and its outcome is where the next who asks will look. */
  void leave(String place, Flight flight) {
    flights.remove(place, flight);
  }
}
