package dev.callbound.policy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** One of every failure that the rules tell apart, by a short name. */
final class Failures {
  static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  private static final Map<String, Failure> BY_NAME = new LinkedHashMap<>();

  static {
    Duration waited = Duration.ofSeconds(1);
    BY_NAME.put("refused", new Failure.Refused(403, "403 Forbidden"));
    BY_NAME.put("key conflict", new Failure.KeyConflict("the key was used with other arguments"));
    BY_NAME.put("unsafe", new Failure.Unsafe("169.254.169.254 is not allowed"));
    BY_NAME.put("cancelled unsent", new Failure.Cancelled(Failure.Cancelled.By.CLIENT, false));
    BY_NAME.put("cancelled sent", new Failure.Cancelled(Failure.Cancelled.By.RUN, true));
    BY_NAME.put("shut down", new Failure.Cancelled(Failure.Cancelled.By.SHUTDOWN, true));
    BY_NAME.put("tool error", Failure.ToolError.PLAIN);
    BY_NAME.put("tool error 401", new Failure.ToolError(401, null));
    BY_NAME.put("tool error 429", new Failure.ToolError(429, null));
    BY_NAME.put("tool error 429 2s", new Failure.ToolError(429, TWO_SECONDS));
    BY_NAME.put("tool error 500", new Failure.ToolError(500, null));
    BY_NAME.put("too large", new Failure.TooLarge(9_437_184, 8_388_608));
    BY_NAME.put("limited", new Failure.Limited(null, "429 Too Many Requests"));
    BY_NAME.put("limited 2s", new Failure.Limited(TWO_SECONDS, "429 Too Many Requests"));
    BY_NAME.put("not sent", new Failure.NotSent("connection refused"));
    BY_NAME.put("server error", new Failure.ServerError(503, "503 Service Unavailable"));
    BY_NAME.put("timed out", new Failure.TimedOut(waited, Failure.TimedOut.Timer.DEADLINE));
    BY_NAME.put("stalled", new Failure.TimedOut(waited, Failure.TimedOut.Timer.STALL));
    BY_NAME.put("broken", new Failure.Broken("connection reset"));
    BY_NAME.put("worker died", new Failure.WorkerDied());
    BY_NAME.put("garbled", new Failure.Garbled("not JSON: <html>"));
  }

  private Failures() {}

  static Failure named(String name) {
    Failure failure = BY_NAME.get(name);
    if (failure == null) {
      throw new IllegalArgumentException("no such failure: " + name + "; known: " + names());
    }
    return failure;
  }

  static Iterable<String> names() {
    return BY_NAME.keySet();
  }

  static Stream<Failure> all() {
    return BY_NAME.values().stream();
  }
}
