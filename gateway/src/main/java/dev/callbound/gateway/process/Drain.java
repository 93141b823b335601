package dev.callbound.gateway.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads what a process writes to its end, whatever its length, so that the process is never held
 * up; keeps the begin of it, or the end. Thread-safe.
 */
final class Drain {
  private static final int CHUNK_BYTES = 8_192;

  private enum Kept {
    BEGIN,
    END
  }

  private final Kept part;
  private final int maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch ended = new CountDownLatch(1);
  private byte[] kept = {};
  private long bytes;

  private Drain(InputStream stream, Kept part, int maxBytes) {
    this.part = part;
    this.maxBytes = maxBytes;
    // A platform thread: a read of a pipe holds its thread, and would hold a virtual one's carrier.
    Thread.ofPlatform().daemon().name("drain").start(() -> readAll(stream));
  }

  /** Begins to read a stream of which the begin is kept. */
  static Drain ofBegin(InputStream stream, int maxBytes) {
    return new Drain(stream, Kept.BEGIN, maxBytes);
  }

  /** Begins to read a stream of which the end is kept. */
  static Drain ofEnd(InputStream stream, int maxBytes) {
    return new Drain(stream, Kept.END, maxBytes);
  }

  /** Waits for the end of the stream, or until the patience is over. */
  void awaitEnd(Duration patience) throws InterruptedException {
    boolean atEnd = ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (!atEnd) {
      // Somebody who could not be ended holds it; what came until now has to do.
      return;
    }
  }

  /** How much has come. */
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** What is kept. */
  String text() {
    lock.lock();
    try {
      return new String(kept, StandardCharsets.UTF_8);
    } finally {
      lock.unlock();
    }
  }

  /** The last line in what is kept that is not blank; empty where there is none. */
  String lastLine() {
    return text()
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce("", (_, line) -> line);
  }

  private void readAll(InputStream stream) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      for (int read = stream.read(chunk); read >= 0; read = stream.read(chunk)) {
        take(chunk, read);
      }
    } catch (IOException _) {
      // The pipe was closed with the process, which is an end as well.
      return;
    } finally {
      ended.countDown();
    }
  }

  private void take(byte[] chunk, int count) {
    lock.lock();
    try {
      bytes += count;
      int all = kept.length + count;
      int most = Math.min(all, maxBytes);
      if (part == Kept.BEGIN && most == kept.length) {
        return;
      }
      byte[] joined = Arrays.copyOf(kept, all);
      System.arraycopy(chunk, 0, joined, kept.length, count);
      kept =
          part == Kept.BEGIN
              ? Arrays.copyOf(joined, most)
              : Arrays.copyOfRange(joined, all - most, all);
    } finally {
      lock.unlock();
    }
  }
}
