package dev.callbound.testkit.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Takes a stream of server-sent events apart. Not thread-safe. */
public final class SseReader {
  private static final int MAX_LINE_BYTES = 128 * 1024 * 1024;
  private final InputStream in;
  private final Runnable onComment;

  public SseReader(InputStream in) {
    this(in, () -> {});
  }

  /**
   * @param onComment run for every comment line, as it comes
   */
  public SseReader(InputStream in, Runnable onComment) {
    this.in = in;
    this.onComment = onComment;
  }

  /** One event; {@code id} and {@code type} are null where the event has none. */
  public record Event(@Nullable String id, @Nullable String type, String data) {}

  /**
   * Waits for the next event.
   *
   * @return the event, or null once the stream has ended as it should
   */
  public @Nullable Event next() throws IOException {
    String id = null;
    String type = null;
    StringBuilder data = new StringBuilder();
    boolean fields = false;
    for (byte[] bytes = line(); bytes != null; bytes = line()) {
      String line = new String(bytes, StandardCharsets.UTF_8);
      if (line.endsWith("\r")) {
        line = line.substring(0, line.length() - 1);
      }
      if (line.isEmpty() && fields) {
        return new Event(id, type, data.toString());
      }
      if (line.startsWith(":")) {
        onComment.run();
      }
      int colon = line.indexOf(':');
      if (colon == 0 || line.isEmpty()) {
        continue;
      }
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      fields = true;
      switch (name) {
        case "id" -> id = value;
        case "event" -> type = value;
        case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
        default -> {
          // "retry" and names that we do not know: nothing to do for a reader that never
          // reconnects.
        }
      }
    }
    return null;
  }

  private byte @Nullable [] line() throws IOException {
    return ByteLines.next(in, MAX_LINE_BYTES);
  }
}
