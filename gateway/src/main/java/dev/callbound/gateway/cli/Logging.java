package dev.callbound.gateway.cli;

import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Sends the log to stderr: stdout belongs to the protocol and to what a command prints. */
final class Logging {
  /** What the libraries do is no event of ours, unless something is wrong there. */
  private static final List<Logger> LIBRARIES =
      List.of(
          Logger.getLogger("io.helidon"),
          Logger.getLogger("org.apache"),
          Logger.getLogger("org.sqlite"),
          Logger.getLogger("com.networknt"),
          Logger.getLogger("jdk"),
          Logger.getLogger("sun"));

  private Logging() {}

  static void start(LogLevel level) {
    LogManager.getLogManager().reset();
    Handler handler = new ConsoleHandler();
    handler.setFormatter(new LogFormat());
    handler.setLevel(Level.ALL);
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    root.setLevel(level.level());
    Level quiet =
        level.level().intValue() > Level.WARNING.intValue() ? level.level() : Level.WARNING;
    LIBRARIES.forEach(library -> library.setLevel(quiet));
  }
}
