package dev.callbound.gateway.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * The log of this process, kept in a file for a while: what the gateway reports of servers that are
 * made to crash would only hide what the demo prints.
 */
final class GatewayLog implements AutoCloseable {
  private static final Logger ROOT = Logger.getLogger("");

  private final Handler[] usual;
  private final Handler file;

  private GatewayLog(Handler[] usual, Handler file) {
    this.usual = usual;
    this.file = file;
  }

  /** Sends the log into a file of the folder from now on. */
  static GatewayLog into(Path folder) throws IOException {
    // A percent sign would be the beginning of a pattern.
    String path = folder.resolve("gateway.log").toString().replace("%", "%%");
    Handler file = new FileHandler(path);
    file.setFormatter(new SimpleFormatter());
    Handler[] usual = ROOT.getHandlers();
    for (Handler handler : usual) {
      ROOT.removeHandler(handler);
    }
    ROOT.addHandler(file);
    return new GatewayLog(usual, file);
  }

  /** Sends it where it went before. */
  @Override
  public void close() {
    ROOT.removeHandler(file);
    for (Handler handler : usual) {
      ROOT.addHandler(handler);
    }
    file.close();
  }
}
