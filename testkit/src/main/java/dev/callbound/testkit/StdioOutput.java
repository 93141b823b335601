package dev.callbound.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The message stream to a client that started this process. Thread-safe; the lock is held while
 * bytes are written, so that lines stay whole.
 */
final class StdioOutput {
  private final ReentrantLock lock = new ReentrantLock();
  private final OutputStream out;
  private final Runnable clientLeft;

  /**
   * @param clientLeft what is done when nobody reads any more
   */
  StdioOutput(OutputStream out, Runnable clientLeft) {
    this.out = out;
    this.clientLeft = clientLeft;
  }

  /** Writes the pieces of one line, with a pause between them, and its line feed. */
  void line(Iterable<byte[]> pieces) throws InterruptedException {
    lock.lock();
    try {
      boolean first = true;
      for (byte[] piece : pieces) {
        if (!first) {
          Thread.sleep(SplitText.PAUSE_MILLIS);
        }
        out.write(piece);
        out.flush();
        first = false;
      }
      out.write('\n');
      out.flush();
    } catch (IOException e) {
      clientLeft.run();
    } finally {
      lock.unlock();
    }
  }

  void line(byte[] line) {
    lock.lock();
    try {
      out.write(line);
      out.write('\n');
      out.flush();
    } catch (IOException e) {
      clientLeft.run();
    } finally {
      lock.unlock();
    }
  }

  /** Does something during which no line can go out, as in a server with a single thread. */
  void holdingUp(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
