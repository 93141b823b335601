package dev.callbound.gateway.upstream.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a body into memory, up to a limit and not a byte further. */
final class BoundedBody {
  private static final int FIRST = 8_192;

  private BoundedBody() {}

  /**
   * Reads to the end.
   *
   * @param announced the length that was announced; negative for none
   * @throws TooLargeException as soon as more is announced or read than the limit
   */
  static byte[] read(InputStream in, long announced, int limitBytes) throws IOException {
    if (announced > limitBytes) {
      throw new TooLargeException(announced);
    }
    int most = announced < 0 ? limitBytes : (int) announced;
    byte[] bytes = new byte[Math.min(FIRST, most + 1)];
    int length = 0;
    while (true) {
      if (length == bytes.length) {
        // One more than the limit, so that what is over it is seen.
        int larger = (int) Math.min(2L * bytes.length, most + 1L);
        if (larger == length) {
          throw new TooLargeException(length);
        }
        bytes = Arrays.copyOf(bytes, larger);
      }
      int read = in.read(bytes, length, bytes.length - length);
      if (read < 0) {
        return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
      }
      length += read;
      if (length > limitBytes) {
        throw new TooLargeException(length);
      }
    }
  }

  /** The begin of a body, as far as it came: for the text of an error. */
  static byte[] begin(InputStream in, int limitBytes) {
    byte[] bytes = new byte[limitBytes];
    int length = 0;
    try {
      int read;
      while (length < limitBytes && (read = in.read(bytes, length, limitBytes - length)) >= 0) {
        length += read;
      }
    } catch (IOException _) {
      // What came until then has to do.
      return Arrays.copyOf(bytes, length);
    }
    return Arrays.copyOf(bytes, length);
  }

  /** More was sent than is taken. */
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long bytes;

    /**
     * @param bytes how much was announced, or had been seen
     */
    TooLargeException(long bytes) {
      super("over the limit: " + bytes + " bytes");
      this.bytes = bytes;
    }

    long bytes() {
      return bytes;
    }
  }
}
