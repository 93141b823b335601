package dev.callbound.gateway.door.stdio;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Splits bytes into lines, and keeps no more of one than is allowed. Used by one thread. */
final class LineReader {
  /** What was read. */
  sealed interface Line {
    /** The bytes of a line, without its end. Read once and never compared, so an array will do. */
    @SuppressWarnings("ArrayRecordComponent")
    record Whole(byte[] bytes) implements Line {}

    /** A line that was longer than allowed, and has been skipped to its end. */
    record TooLong() implements Line {}

    /** There is nothing more to read. */
    record End() implements Line {}
  }

  private static final int BUFFER = 8_192;

  private final InputStream in;
  private final int maxBytes;
  private final byte[] buffer = new byte[BUFFER];
  private int from;
  private int until;

  LineReader(InputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
  }

  /** The next line. One that the end of the input cuts off counts as a line. */
  Line next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    boolean fits = true;
    boolean any = false;
    while (from < until || fill()) {
      any = true;
      int end = endOfLine();
      if (fits && line.size() + (end - from) <= maxBytes) {
        line.write(buffer, from, end - from);
      } else {
        fits = false;
        line.reset();
      }
      boolean whole = end < until;
      from = whole ? end + 1 : end;
      if (whole) {
        return line(line, fits);
      }
    }
    return any ? line(line, fits) : new Line.End();
  }

  private static Line line(ByteArrayOutputStream line, boolean fits) {
    return fits ? new Line.Whole(line.toByteArray()) : new Line.TooLong();
  }

  private int endOfLine() {
    int at = from;
    while (at < until && buffer[at] != '\n') {
      at++;
    }
    return at;
  }

  private boolean fill() throws IOException {
    from = 0;
    until = Math.max(0, in.read(buffer));
    return until > 0;
  }
}
