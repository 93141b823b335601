package dev.callbound.gateway.upstream.stdio;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last lines of a stream, as many as fit a number of bytes, and how many there were.
 * Thread-safe.
 */
final class Tail {
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<byte[]> lines = new ArrayDeque<>();
  private final int maxBytes;
  private int bytes;
  private long count;

  Tail(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Adds a line; of one that does not fit, only the begin is kept. */
  void add(byte[] line) {
    byte[] kept = line.length < maxBytes ? line : Arrays.copyOf(line, maxBytes - 1);
    lock.lock();
    try {
      count++;
      lines.addLast(kept);
      // Each line counts one more, for its end: a flood of empty lines is bounded too.
      bytes += kept.length + 1;
      while (bytes > maxBytes) {
        bytes -= lines.removeFirst().length + 1;
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many lines were added in all. */
  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** The last line; empty when there was none. */
  String last() {
    lock.lock();
    try {
      byte[] last = lines.peekLast();
      return last == null ? "" : new String(last, StandardCharsets.UTF_8).stripTrailing();
    } finally {
      lock.unlock();
    }
  }

  /** The kept lines, one under the other. */
  String text() {
    lock.lock();
    try {
      StringBuilder text = new StringBuilder();
      for (byte[] line : lines) {
        text.append(text.isEmpty() ? "" : "\n")
            .append(new String(line, StandardCharsets.UTF_8).stripTrailing());
      }
      return text.toString();
    } finally {
      lock.unlock();
    }
  }
}
