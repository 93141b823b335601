package dev.callbound.gateway.door.stdio;

import dev.callbound.gateway.door.OneLineOutputStream;
import dev.callbound.gateway.mcp.Message;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes messages, each on a line of its own. Thread-safe: a message is written whole before the
 * next begins. That is the one lock here that is held while writing, for there is one stream, and
 * whoever waits for it has nothing else to do.
 */
final class LineWriter {
  private final ReentrantLock lock = new ReentrantLock();
  private final OutputStream out;

  LineWriter(OutputStream out) {
    this.out = new BufferedOutputStream(out, 8_192);
  }

  /**
   * Writes a message through to the client.
   *
   * @throws IOException if the client does not read any more
   */
  void write(Message message) throws IOException {
    lock.lock();
    try {
      message.writeTo(new OneLineOutputStream(out));
      out.write('\n');
      out.flush();
    } finally {
      lock.unlock();
    }
  }
}
