package dev.callbound.gateway.upstream.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts a stream into lines, at the byte 0x0A and nowhere else: other line separators of Unicode are
 * plain text inside JSON. A line over the limit is passed over in bounded memory; only its begin
 * and its end are kept. One stream, one thread.
 */
final class LineReader {
  /** How much is kept of the begin and of the end of a line over the limit, in bytes. */
  static final int KEPT_BYTES = 4_096;

  private static final int CHUNK_BYTES = 65_536;

  /** Takes the lines, in their order, on the reading thread. */
  interface Sink {
    /** A line, without its end. */
    void line(byte[] line);

    /**
     * A line over the limit: told once when the limit is passed, so that nobody waits for the rest,
     * and once more at its end.
     */
    void overlong(Overlong line);
  }

  /**
   * What is known of a line over the limit. Its begin and end may be cut inside a character, so
   * they are kept as ISO 8859-1: one character for a byte.
   *
   * @param begin its first {@link #KEPT_BYTES} bytes
   * @param end its last {@link #KEPT_BYTES} bytes; empty until it has ended
   * @param bytes how many were seen
   * @param ended whether its end was seen
   */
  record Overlong(String begin, String end, long bytes, boolean ended) {}

  private final InputStream in;
  private final int maxBytes;
  private final Sink sink;
  private byte[] line = new byte[CHUNK_BYTES];
  private int length;
  private boolean passing;
  private byte[] begin = {};
  private byte[] end = {};
  private long passed;

  /**
   * @param maxBytes the longest line that is taken, without its end; at least {@link #KEPT_BYTES}
   */
  LineReader(InputStream in, int maxBytes, Sink sink) {
    if (maxBytes < KEPT_BYTES) {
      throw new IllegalArgumentException(
          "maxBytes must be at least " + KEPT_BYTES + ": " + maxBytes);
    }
    this.in = in;
    this.maxBytes = maxBytes;
    this.sink = sink;
  }

  /** Reads until the stream ends; a last line without an end counts. */
  void readAll() throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      int from = 0;
      for (int at = 0; at < read; at++) {
        if (chunk[at] == '\n') {
          take(chunk, from, at);
          endLine();
          from = at + 1;
        }
      }
      take(chunk, from, read);
    }
    if (length > 0 || passing) {
      endLine();
    }
  }

  private void take(byte[] chunk, int from, int until) {
    int count = until - from;
    if (!passing && (long) length + count > maxBytes) {
      beginPassing(chunk, from, count);
      return;
    }
    if (passing) {
      passed += count;
      end = lastOf(end, chunk, from, until);
      return;
    }
    if (length + count > line.length) {
      int doubled = (int) Math.min(2L * line.length, maxBytes);
      line = Arrays.copyOf(line, Math.max(doubled, length + count));
    }
    System.arraycopy(chunk, from, line, length, count);
    length += count;
  }

  private void beginPassing(byte[] chunk, int from, int count) {
    passing = true;
    passed = (long) length + count;
    begin = firstOf(line, length, chunk, from, count);
    end =
        lastOf(
            Arrays.copyOfRange(line, Math.max(0, length - KEPT_BYTES), length),
            chunk,
            from,
            from + count);
    forget();
    sink.overlong(new Overlong(text(begin), "", passed, false));
  }

  private void endLine() {
    if (passing) {
      passing = false;
      sink.overlong(new Overlong(text(begin), text(end), passed, true));
      return;
    }
    byte[] whole = Arrays.copyOf(line, length);
    forget();
    sink.line(whole);
  }

  /** Starts over; a buffer that one large line needed is not kept for small ones. */
  private void forget() {
    length = 0;
    if (line.length > CHUNK_BYTES) {
      line = new byte[CHUNK_BYTES];
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] firstOf(byte[] line, int length, byte[] chunk, int from, int count) {
    byte[] first = Arrays.copyOf(line, Math.min(KEPT_BYTES, length));
    int missing = Math.min(KEPT_BYTES - first.length, count);
    byte[] all = Arrays.copyOf(first, first.length + missing);
    System.arraycopy(chunk, from, all, first.length, missing);
    return all;
  }

  private static byte[] lastOf(byte[] before, byte[] chunk, int from, int until) {
    int count = until - from;
    if (count >= KEPT_BYTES) {
      return Arrays.copyOfRange(chunk, until - KEPT_BYTES, until);
    }
    int kept = Math.min(before.length, KEPT_BYTES - count);
    byte[] last = new byte[kept + count];
    System.arraycopy(before, before.length - kept, last, 0, kept);
    System.arraycopy(chunk, from, last, kept, count);
    return last;
  }
}
