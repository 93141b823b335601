package dev.callbound.gateway.door;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes JSON on one line. In valid JSON an end of line is only ever white space between values, so
 * a space in its place changes nothing; all other bytes pass as they are, without being copied.
 */
public final class OneLineOutputStream extends FilterOutputStream {
  /** Writes to another stream, which is neither flushed nor closed by a write. */
  public OneLineOutputStream(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    out.write(isEndOfLine((byte) b) ? ' ' : b);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int end = from + length;
    int start = from;
    for (int i = from; i < end; i++) {
      if (isEndOfLine(bytes[i])) {
        out.write(bytes, start, i - start);
        out.write(' ');
        start = i + 1;
      }
    }
    out.write(bytes, start, end - start);
  }

  private static boolean isEndOfLine(byte b) {
    return b == '\n' || b == '\r';
  }
}
