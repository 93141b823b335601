package dev.callbound.testkit.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The first line and the header fields of an HTTP/1.1 message. */
public record HttpHead(String startLine, HttpHeaders headers) {
  private static final int MAX_LINE_BYTES = 64 * 1024;
  private static final int MAX_FIELDS = 20_000;

  /**
   * Reads a head up to and with its empty line.
   *
   * @return the head, or null if the stream ended before its first byte
   * @throws EOFException if the stream ended within it
   */
  public static @Nullable HttpHead read(InputStream in) throws IOException {
    byte[] first = ByteLines.next(in, MAX_LINE_BYTES);
    if (first == null) {
      return null;
    }
    HttpHeaders headers = new HttpHeaders();
    for (int fields = 0; ; fields++) {
      byte[] line = ByteLines.next(in, MAX_LINE_BYTES);
      if (line == null) {
        throw new EOFException("the connection ended within the header fields");
      }
      String text = text(line);
      if (text.isEmpty()) {
        return new HttpHead(text(first), headers);
      }
      int colon = text.indexOf(':');
      if (colon <= 0 || fields >= MAX_FIELDS) {
        throw new IOException("not a header field: " + text);
      }
      headers.add(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
    }
  }

  /** The bytes of this head, its empty line included. */
  public byte[] bytes() {
    StringBuilder text = new StringBuilder(startLine).append("\r\n");
    headers.each((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    return text.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The status code of a response's head. */
  public int status() throws IOException {
    String[] parts = startLine.split(" ", 3);
    if (parts.length < 2 || !parts[1].matches("\\d{3}")) {
      throw new IOException("not a status line: " + startLine);
    }
    return Integer.parseInt(parts[1]);
  }

  private static String text(byte[] line) {
    int length = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
    return new String(line, 0, length, StandardCharsets.UTF_8);
  }
}
