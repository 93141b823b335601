package dev.callbound.gateway.cli;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;

/** When the output has colours. */
enum ColorWhen {
  AUTO,
  ALWAYS,
  NEVER;

  /** Set by the launcher, which asks the shell: far cheaper than asking the JVM. */
  private static final String PROPERTY = "callbound.terminal";

  boolean colored() {
    return switch (this) {
      case ALWAYS -> true;
      case NEVER -> false;
      // NO_COLOR counts when it is not empty: https://no-color.org
      case AUTO -> env("NO_COLOR").isEmpty() && !env("TERM").equals("dumb") && isTerminal();
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

  private static boolean isTerminal() {
    String told = System.getProperty(PROPERTY);
    if (told != null) {
      return told.equals("true");
    }
    // Null or not, when it is none: that has changed from one Java to the next.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }
}
