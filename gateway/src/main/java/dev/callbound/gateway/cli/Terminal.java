package dev.callbound.gateway.cli;

import java.io.Console;
import java.util.Optional;

/** Whether a person looks at what is printed. */
final class Terminal {
  /** Set by the launcher, which asks the shell: far cheaper than asking the JVM. */
  private static final String PROPERTY = "callbound.terminal";

  private Terminal() {}

  /** Whether stdout is a terminal. */
  static boolean isOutput() {
    String told = System.getProperty(PROPERTY);
    if (told != null) {
      return told.equals("true");
    }
    // Null or not, when it is none: that has changed from one Java to the next.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }
}
