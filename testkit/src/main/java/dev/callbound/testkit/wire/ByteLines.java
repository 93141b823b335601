package dev.callbound.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines that end with a line feed byte and with nothing else: U+2028 and its kin are legal
 * inside JSON.
 */
public final class ByteLines {
  private ByteLines() {}

  /**
   * The next line without its line feed. Bytes after the last line feed count as a line.
   *
   * @return the line, or null at the end of the stream
   * @throws IOException if it is longer than {@code maxBytes}
   */
  public static byte @Nullable [] next(InputStream in, int maxBytes) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    for (int read = in.read(); read != '\n'; read = in.read()) {
      if (read < 0) {
        return line.size() == 0 ? null : line.toByteArray();
      }
      if (line.size() >= maxBytes) {
        throw new IOException("a line is longer than " + maxBytes + " bytes");
      }
      line.write(read);
    }
    return line.toByteArray();
  }
}
