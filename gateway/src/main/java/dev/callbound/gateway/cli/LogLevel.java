package dev.callbound.gateway.cli;

import java.util.Locale;
import java.util.logging.Level;

/** How much is logged. */
enum LogLevel {
  OFF(Level.OFF),
  ERROR(Level.SEVERE),
  WARN(Level.WARNING),
  INFO(Level.INFO),
  DEBUG(Level.FINE),
  TRACE(Level.FINER);

  private final Level level;

  LogLevel(Level level) {
    this.level = level;
  }

  Level level() {
    return level;
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
