package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written to a process, in its order. One thread writes; nobody else ever waits for a
 * process that does not read. Thread-safe.
 */
final class Outbox {
  /** How many lines may wait. */
  static final int MAX_LINES = 10_000;

  /** How many bytes may wait, but for a line that waits alone. */
  static final long MAX_BYTES = 64L << 20;

  /** A line to be written, and the request that it is; null for a message nobody waits for. */
  private static final class Line {
    private final byte[] bytes;
    private final @Nullable PendingRequest request;

    private Line(byte[] bytes, @Nullable PendingRequest request) {
      this.bytes = bytes;
      this.request = request;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Line> lines = new ArrayDeque<>();
  private final OutputStream out;
  private long bytes;
  private boolean closed;

  Outbox(OutputStream out) {
    this.out = out;
  }

  /**
   * Has a message written when its turn comes.
   *
   * @param request what it is; it is asked whether it still is to be written. Null for a message
   *     that nobody waits for
   * @return false when too much is waiting already, or the outbox is closed
   */
  boolean offer(Message message, @Nullable PendingRequest request) {
    byte[] line = message.toBytes();
    lock.lock();
    try {
      boolean full =
          lines.size() >= MAX_LINES || (!lines.isEmpty() && bytes + line.length > MAX_BYTES);
      if (closed || full) {
        return false;
      }
      lines.addLast(new Line(line, request));
      bytes += line.length;
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a request out that has ended before its turn came. */
  void remove(PendingRequest request) {
    lock.lock();
    try {
      lines.removeIf(
          line -> {
            boolean found = line.request == request;
            bytes -= found ? line.bytes.length : 0;
            return found;
          });
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes no more, drops what waits, and lets the writing thread close the stream. Never blocks.
   */
  void close() {
    lock.lock();
    try {
      closed = true;
      lines.clear();
      bytes = 0;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes until the outbox is closed, then closes the stream. To be run by one thread, which may
   * block for as long as the process does not read.
   *
   * @throws IOException if the process does not take any more
   */
  void writeAll() throws IOException {
    try (OutputStream stream = out) {
      for (Line line = next(); line != null; line = next()) {
        PendingRequest request = line.request;
        if (request == null || request.begin()) {
          stream.write(line.bytes);
          stream.write('\n');
          stream.flush();
        }
      }
    } finally {
      close();
    }
  }

  /** The next line; null when there will be none. */
  private @Nullable Line next() {
    lock.lock();
    try {
      while (lines.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      Line line = lines.pollFirst();
      bytes -= line == null ? 0 : line.bytes.length;
      return line;
    } finally {
      lock.unlock();
    }
  }
}
