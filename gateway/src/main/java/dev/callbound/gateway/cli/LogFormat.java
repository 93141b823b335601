package dev.callbound.gateway.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** One line for each event: time in UTC, level, who says it, and what. Thread-safe. */
final class LogFormat extends Formatter {
  @Override
  public String format(LogRecord event) {
    StringBuilder line = new StringBuilder(160);
    line.append(event.getInstant().truncatedTo(ChronoUnit.MILLIS));
    line.append(' ').append(name(event.getLevel()));
    line.append(' ').append(simpleName(event.getLoggerName()));
    // A message of several lines would read as several events.
    line.append(' ').append(formatMessage(event).replaceAll("\\R\\s*", " | "));
    line.append(System.lineSeparator());
    if (event.getThrown() != null) {
      StringWriter trace = new StringWriter();
      event.getThrown().printStackTrace(new PrintWriter(trace, true));
      line.append(trace);
    }
    return line.toString();
  }

  private static String name(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (value >= Level.WARNING.intValue()) {
      return "WARN ";
    }
    if (value >= Level.INFO.intValue()) {
      return "INFO ";
    }
    return value >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
  }

  private static String simpleName(String logger) {
    return logger == null ? "-" : logger.substring(logger.lastIndexOf('.') + 1);
  }
}
