package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What can be changed while the server runs, through {@code POST /_control}. Thread-safe. */
final class FaultControl {
  private final ReentrantLock lock = new ReentrantLock();
  private final FaultOptions options;
  private List<Fault> faults = List.of();
  private volatile State state;

  FaultControl(FaultOptions options) {
    this.options = options;
    this.state = State.initial(options);
  }

  /** The settings of one moment; {@code token} is null where none is asked for. */
  record State(
      int staleStatus,
      @Nullable String token,
      String toolset,
      int pageSize,
      String listLoop,
      Duration initDelay,
      Duration listDelay) {

    static State initial(FaultOptions options) {
      return new State(
          options.number("stale-status"),
          options.text("token").isEmpty() ? null : options.text("token"),
          "v1",
          options.number("page-size"),
          options.text("list-loop"),
          options.millis("init-delay-ms"),
          options.millis("list-delay-ms"));
    }

    State with(JsonNode want) {
      JsonNode wantedToken = want.path("token");
      String token =
          wantedToken.isMissingNode()
              ? token()
              : wantedToken.isNull() ? null : wantedToken.asText();
      return new State(
          want.path("stale_status").asInt(staleStatus),
          token,
          want.path("toolset").asText(toolset),
          want.path("page_size").asInt(pageSize),
          want.path("list_loop").asText(listLoop),
          Duration.ofMillis(want.path("init_delay_ms").asLong(initDelay.toMillis())),
          Duration.ofMillis(want.path("list_delay_ms").asLong(listDelay.toMillis())));
    }
  }

  /** A fault that is due, and how often it is still to strike; -1 is for ever. */
  record Due(String match, int left, List<Step> steps) {}

  private record Fault(String match, int left, List<Step> steps) {}

  State state() {
    return state;
  }

  /**
   * Applies what the request names, and leaves the rest.
   *
   * @throws IllegalArgumentException if a step is unknown; nothing is applied then
   */
  void apply(JsonNode want) {
    lock.lock();
    try {
      if (want.path("faults").isArray()) {
        List<Fault> fresh = new ArrayList<>();
        for (JsonNode fault : want.path("faults")) {
          fresh.add(
              new Fault(
                  fault.path("match").asText(),
                  fault.path("times").asInt(1),
                  StepReader.list(fault.path("steps"))));
        }
        faults = fresh;
      }
      state = state.with(want);
    } finally {
      lock.unlock();
    }
  }

  void reset() {
    lock.lock();
    try {
      faults = List.of();
      state = State.initial(options);
    } finally {
      lock.unlock();
    }
  }

  /** Takes one strike off the first fault that is due for one of these names; null if none is. */
  @Nullable Due take(String... names) {
    lock.lock();
    try {
      Set<String> wanted = Set.of(names);
      for (int i = 0; i < faults.size(); i++) {
        Fault fault = faults.get(i);
        if (fault.left != 0 && (fault.match.equals("*") || wanted.contains(fault.match))) {
          int left = fault.left < 0 ? fault.left : fault.left - 1;
          List<Fault> changed = new ArrayList<>(faults);
          changed.set(i, new Fault(fault.match, left, fault.steps));
          faults = changed;
          return new Due(fault.match, left, fault.steps);
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }
}
