package dev.callbound.benchmarks.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that come over one HTTP/1.1 connection, one after the other.
 *
 * <p>As much of RFC 9112 as the two ends of a benchmark need: bodies by Content-Length or chunked,
 * no trailers, no continuation. It buffers by itself, because a lock for each byte would be most of
 * the bench. Not thread-safe.
 */
final class MessageReader {

  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final int MAX_BODY_BYTES = 1024 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[MAX_HEAD_BYTES];
  private int position;
  private int limit;

  MessageReader(InputStream in) {
    this.in = in;
  }

  /**
   * Reads the next message, or null when the stream ends before one begins.
   *
   * @throws ProtocolException if what comes is not such a message, or is over a limit
   */
  @Nullable Message next() throws IOException {
    if (position == limit && !fill()) {
      return null;
    }
    var start = line();
    var headers = new HashMap<String, String>();
    var bytes = start.length();
    for (var line = line(); !line.isEmpty(); line = line()) {
      bytes += line.length();
      var colon = line.indexOf(':');
      if (colon < 0 || bytes > MAX_HEAD_BYTES) {
        throw new ProtocolException("no header, or one too many: " + line);
      }
      var name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      headers.put(name, line.substring(colon + 1).strip());
    }
    return new Message(start, headers, new String(body(headers), UTF_8));
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
      return chunks();
    }
    return exactly(Integer.parseInt(headers.getOrDefault("content-length", "0")));
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    for (var size = chunkSize(); size > 0; size = chunkSize()) {
      body.writeBytes(exactly(size));
      line();
    }
    line();
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  private byte[] exactly(int bytes) throws IOException {
    if (bytes < 0 || bytes > MAX_BODY_BYTES) {
      throw new ProtocolException("a body of " + bytes + " bytes; at most " + MAX_BODY_BYTES);
    }
    var body = new byte[bytes];
    for (var filled = 0; filled < bytes; ) {
      require();
      var part = Math.min(bytes - filled, limit - position);
      System.arraycopy(buffer, position, body, filled, part);
      position += part;
      filled += part;
    }
    return body;
  }

  /** The bytes up to the next line feed, without their line end. */
  private String line() throws IOException {
    var line = new StringBuilder();
    while (true) {
      require();
      var from = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      line.append(new String(buffer, from, position - from, ISO_8859_1));
      if (line.length() > MAX_HEAD_BYTES) {
        throw new ProtocolException("a line of more than " + MAX_HEAD_BYTES + " bytes");
      }
      if (position < limit) {
        position++;
        var length = line.length();
        return length > 0 && line.charAt(length - 1) == '\r'
            ? line.substring(0, length - 1)
            : line.toString();
      }
    }
  }

  private void require() throws IOException {
    if (position == limit && !fill()) {
      throw new EOFException("the connection ended inside a message");
    }
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer));
    return limit > 0;
  }
}
