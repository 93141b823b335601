package dev.callbound.gateway.config;

import java.time.Duration;

/** The check that the records share: a duration or a count that must be more than zero. */
final class Positive {
  private Positive() {}

  static void check(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be more than zero: " + value);
    }
  }

  static void check(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be more than zero: " + value);
    }
  }
}
