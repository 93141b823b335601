package dev.callbound.benchmarks.duplicates;

import java.util.SplittableRandom;

/**
 * What goes wrong with the first attempt at a write, and how often in a hundred. Any further
 * attempt works.
 */
enum Fault {
  /** Nothing. */
  NONE(70, "", ""),
  /** It is done, and the answer comes long after everybody has stopped waiting. */
  SLOW(5, Fault.EFFECT, "{\"do\":\"sleep\",\"ms\":1500},{\"do\":\"reply\"}"),
  /** It is not done, and there is no answer. */
  HANG(5, "", "{\"do\":\"hang\"}"),
  /** It is done, and the connection is reset. */
  RESET_AFTER(5, Fault.EFFECT, "{\"do\":\"reset\"}"),
  /** It is not done, and the connection is reset. */
  RESET_BEFORE(5, "", "{\"do\":\"reset\"}"),
  /** It is done, and a proxy answers 503. */
  UNAVAILABLE_AFTER(5, Fault.EFFECT, "{\"do\":\"status\",\"status\":503}"),
  /** It is not done: too many requests, come back in a second. */
  LIMITED(5, "", "{\"do\":\"status\",\"status\":429,\"retry_after\":\"1\"}");

  /** Done once for each key, where there is one. */
  private static final String EFFECT = "{\"do\":\"effect\",\"keyed\":true}";

  private static final int ALL = 100;

  private final int percent;
  private final String effect;
  private final String end;

  Fault(int percent, String effect, String end) {
    this.percent = percent;
    this.effect = effect;
    this.end = end;
  }

  /** One of them, as often as it is meant to be. */
  static Fault any(SplittableRandom random) {
    int left = random.nextInt(ALL);
    for (Fault fault : values()) {
      left -= fault.percent;
      if (left < 0) {
        return fault;
      }
    }
    throw new IllegalStateException("the faults must make " + ALL + " percent together");
  }

  /** The arguments that make the server's tool {@code inject_write} do this. */
  String arguments(String marker) {
    String steps = effect.isEmpty() || end.isEmpty() ? end : effect + "," + end;
    return "{\"marker\":\"%s\",\"times\":%d,\"steps\":[%s],\"then\":[%s,{\"do\":\"reply\"}]}"
        .formatted(marker, this == NONE ? 0 : 1, steps, EFFECT);
  }
}
