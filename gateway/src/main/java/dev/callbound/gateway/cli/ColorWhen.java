package dev.callbound.gateway.cli;

import java.util.Locale;

/** When the output has colours. */
enum ColorWhen {
  AUTO,
  ALWAYS,
  NEVER;

  boolean colored() {
    return switch (this) {
      case ALWAYS -> true;
      case NEVER -> false;
      // NO_COLOR counts when it is not empty: https://no-color.org
      case AUTO -> env("NO_COLOR").isEmpty() && !env("TERM").equals("dumb") && Terminal.isOutput();
    };
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static String env(String name) {
    String value = System.getenv(name);
    return value == null ? "" : value;
  }
}
