package dev.callbound.gateway.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One intent that is being seen to in this process: by the request that came first, for all that
 * come with the same meanwhile. Thread-safe.
 *
 * @see Flights
 */
final class Flight {
  private final String key;
  private final String argumentsDigest;
  private final Audience audience;
  private final ReentrantLock lock = new ReentrantLock();
  private List<Consumer<String>> waitingForCall = new ArrayList<>();
  private @Nullable String call;

  Flight(String key, String argumentsDigest, Audience audience) {
    this.key = key;
    this.argumentsDigest = argumentsDigest;
    this.audience = audience;
  }

  /** Whether another means the same, down to its arguments. */
  boolean isSame(Flight other) {
    return key.equals(other.key) && argumentsDigest.equals(other.argumentsDigest);
  }

  Audience audience() {
    return audience;
  }

  /** Names the call that it is about. */
  void isCall(String run, String id) {
    audience.refer(new Conversation.Reference(run, id));
    List<Consumer<String>> told;
    lock.lock();
    try {
      call = id;
      told = waitingForCall;
      waitingForCall = List.of();
    } finally {
      lock.unlock();
    }
    told.forEach(action -> action.accept(id));
  }

  /** Does something with the call's id: now, or as soon as it is known. */
  void withCall(Consumer<String> action) {
    String known;
    lock.lock();
    try {
      known = call;
      if (known == null) {
        waitingForCall.add(action);
      }
    } finally {
      lock.unlock();
    }
    if (known != null) {
      action.accept(known);
    }
  }
}
