package dev.callbound.policy;

import java.time.Duration;
import java.util.SplittableRandom;

/** Random values of the sizes that matter. */
public final class Draw {
  private Draw() {}

  /** A duration whose order of magnitude is drawn evenly, so that short and long ones meet. */
  public static Duration duration(SplittableRandom random, long fromMillis, long toMillis) {
    double exponent = random.nextDouble(Math.log((double) fromMillis), Math.log((double) toMillis));
    return Duration.ofMillis(Math.round(Math.exp(exponent)));
  }

  /** True with one chance in so many. */
  public static boolean oneIn(SplittableRandom random, int many) {
    return random.nextInt(many) == 0;
  }

  public static <T> T of(SplittableRandom random, T[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
