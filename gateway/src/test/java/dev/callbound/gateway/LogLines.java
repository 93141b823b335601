package dev.callbound.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a class logs, for as long as this is open: its level and its line, as it is formatted. */
public final class LogLines implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Handler handler =
      new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
          lines.add(line.getLevel() + " " + formatter.formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private LogLines(Logger logger) {
    this.logger = logger;
    logger.addHandler(handler);
  }

  /** Hears what the class logs, warnings and errors at least. */
  public static LogLines of(Class<?> logging) {
    return new LogLines(Logger.getLogger(logging.getName()));
  }

  /** The warnings and errors so far. */
  public List<String> troubles() {
    return lines.stream()
        .filter(
            line ->
                line.startsWith(Level.WARNING.getName()) || line.startsWith(Level.SEVERE.getName()))
        .toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
