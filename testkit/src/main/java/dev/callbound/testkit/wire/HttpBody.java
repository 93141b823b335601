package dev.callbound.testkit.wire;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The body of an HTTP/1.1 message as a stream that tells a complete body from one that was cut: the
 * end of the connection before the end of the body is an {@link EOFException}.
 */
public final class HttpBody {
  private HttpBody() {}

  /** The body of a request: empty unless its head announces one. */
  public static InputStream ofRequest(HttpHeaders headers, InputStream in) throws IOException {
    InputStream announced = announced(headers, in);
    return announced == null ? new ByteArrayInputStream(new byte[0]) : announced;
  }

  /** The body of a response: up to the end of the connection unless its head says otherwise. */
  public static InputStream ofResponse(int status, HttpHeaders headers, InputStream in)
      throws IOException {
    if (status == 204 || status == 304) {
      return new ByteArrayInputStream(new byte[0]);
    }
    InputStream announced = announced(headers, in);
    return announced == null ? in : announced;
  }

  private static @Nullable InputStream announced(HttpHeaders headers, InputStream in)
      throws IOException {
    String coding = headers.first("Transfer-Encoding");
    if (coding != null && coding.toLowerCase(Locale.ROOT).contains("chunked")) {
      return new Chunked(in);
    }
    String length = headers.first("Content-Length");
    if (length == null) {
      return null;
    }
    if (!length.matches("\\d{1,18}")) {
      throw new IOException("not a length: " + length);
    }
    return new Counted(in, Long.parseLong(length));
  }

  /** As many bytes as were announced. */
  private static final class Counted extends InputStream {
    private final InputStream in;
    private final long announced;
    private long left;

    Counted(InputStream in, long announced) {
      this.in = in;
      this.announced = announced;
      this.left = announced;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = in.read(buffer, offset, (int) Math.min(length, left));
      if (count < 0) {
        throw new EOFException(
            "the body ended after " + (announced - left) + " of " + announced + " bytes");
      }
      left -= count;
      return count;
    }
  }

  /** The chunked coding, RFC 9112 section 7.1; trailers are read and dropped. */
  private static final class Chunked extends InputStream {
    private static final int MAX_LINE_BYTES = 4096;
    private final InputStream in;
    private long left;
    private boolean ended;
    private boolean first = true;

    Chunked(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (left == 0 && !ended) {
        nextChunk();
      }
      if (ended) {
        return -1;
      }
      int count = in.read(buffer, offset, (int) Math.min(length, left));
      if (count < 0) {
        throw new EOFException("the body ended within a chunk, " + left + " bytes early");
      }
      left -= count;
      return count;
    }

    private void nextChunk() throws IOException {
      if (!first) {
        line();
      }
      first = false;
      String size = line();
      int extension = size.indexOf(';');
      String digits = (extension < 0 ? size : size.substring(0, extension)).strip();
      if (!digits.matches("[0-9a-fA-F]{1,8}")) {
        throw new IOException("not a chunk size: " + size);
      }
      left = Long.parseLong(digits, 16);
      if (left == 0) {
        ended = true;
        while (!line().isEmpty()) {
          // A trailer field: nobody here needs one.
        }
      }
    }

    private String line() throws IOException {
      byte[] line = ByteLines.next(in, MAX_LINE_BYTES);
      if (line == null) {
        throw new EOFException("the body ended before its last chunk");
      }
      return new String(line, StandardCharsets.US_ASCII).strip();
    }
  }
}
