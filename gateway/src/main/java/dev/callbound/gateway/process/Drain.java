package dev.callbound.gateway.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads what a process writes, whatever its length, so that the process is never held up; keeps the
 * begin of it, or the end. Thread-safe.
 *
 * <p>It never waits within a read. That would last for as long as anybody holds the pipe, such as a
 * daemon that the process left behind, and nobody can end the read of a pipe, not even by closing
 * it. So it looks at what is there, and is at the end when nobody who counts is left to write and
 * nothing more has come for a moment.
 */
final class Drain implements AutoCloseable {
  private static final int CHUNK_BYTES = 8_192;

  /** How often it looks. */
  private static final Duration INTERVAL = Duration.ofMillis(2);

  /** As long as the JDK may take to put back what it took from the pipe of an ended process. */
  private static final Duration QUIET = Duration.ofMillis(50);

  private enum Kept {
    BEGIN,
    END
  }

  private final Kept part;
  private final int maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Thread reader;
  private byte[] kept = {};
  private long bytes;
  private volatile long quietSince;
  private volatile boolean finishing;
  private volatile boolean closed;

  private Drain(InputStream stream, Kept part, int maxBytes) {
    this.part = part;
    this.maxBytes = maxBytes;
    // A platform thread: where the JDK was quicker to take what was there, the read waits after
    // all.
    this.reader = Thread.ofPlatform().daemon().name("drain").unstarted(() -> readAll(stream));
    reader.start();
  }

  /** Begins to read a stream of which the begin is kept. */
  static Drain ofBegin(InputStream stream, int maxBytes) {
    return new Drain(stream, Kept.BEGIN, maxBytes);
  }

  /** Begins to read a stream of which the end is kept. */
  static Drain ofEnd(InputStream stream, int maxBytes) {
    return new Drain(stream, Kept.END, maxBytes);
  }

  /** The process and all that is seen of its family are gone: what is there now is the rest. */
  void finish() {
    quietSince = System.nanoTime();
    finishing = true;
  }

  /** Waits until the rest has been read, or until then; what came until then has to do. */
  void awaitEnd(long untilNanos) throws InterruptedException {
    long left = Duration.ofNanos(untilNanos - System.nanoTime()).toMillis();
    // No time at all would mean any.
    reader.join(Math.max(1, left));
  }

  /** Reads no more. */
  @Override
  public void close() {
    closed = true;
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

  /**
   * The last line in what is kept that is not blank; empty where there is none. One whose begin is
   * not kept is none: half a word could not be recognised as a secret.
   */
  String lastLine() {
    return text()
        .lines()
        .skip(part == Kept.END && bytes() > maxBytes ? 1 : 0)
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce("", (_, line) -> line);
  }

  private void readAll(InputStream stream) {
    byte[] chunk = new byte[CHUNK_BYTES];
    while (!closed && !isAtEnd()) {
      int read = readSome(stream, chunk);
      if (read > 0) {
        take(chunk, read);
        quietSince = System.nanoTime();
      } else {
        LockSupport.parkNanos(INTERVAL.toNanos());
      }
    }
  }

  private boolean isAtEnd() {
    return finishing && System.nanoTime() - quietSince >= QUIET.toNanos();
  }

  /** Reads what is there now; zero or less for nothing. */
  private static int readSome(InputStream stream, byte[] chunk) {
    try {
      int there = stream.available();
      return there > 0 ? stream.read(chunk, 0, Math.min(there, chunk.length)) : 0;
    } catch (IOException _) {
      // The JDK has closed the pipe, and has not put back yet what it took from it.
      return 0;
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
