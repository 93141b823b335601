package dev.callbound.gateway.cli;

import java.util.Locale;
import java.util.logging.Level;

/** How much is logged. */
enum LogLevel {
  OFF,
  ERROR,
  WARN,
  INFO,
  DEBUG,
  TRACE;

  Level level() {
    return switch (this) {
      case OFF -> Level.OFF;
      case ERROR -> Level.SEVERE;
      case WARN -> Level.WARNING;
      case INFO -> Level.INFO;
      case DEBUG -> Level.FINE;
      case TRACE -> Level.FINER;
    };
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
