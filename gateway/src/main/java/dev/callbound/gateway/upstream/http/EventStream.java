package dev.callbound.gateway.upstream.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events (WHATWG HTML, 9.2) as bytes: lines end with LF, CR or CRLF and nothing
 * else, so that U+2028 within JSON does no harm. Bounded; used by one thread.
 */
final class EventStream {
  /** One thing that came. */
  sealed interface Item {
    /** An event. */
    final class Event implements Item {
      private final String type;
      private final byte[] data;

      Event(String type, byte[] data) {
        this.type = type;
        this.data = data;
      }

      /** Whether it carries a message; one that does not may still set the id. */
      boolean isMessage() {
        return data.length > 0 && (type.isEmpty() || type.equals("message"));
      }

      /** What it carries, not copied. */
      byte[] data() {
        return data;
      }
    }

    /** A comment line: a sign of life. */
    record Comment() implements Item {}
  }

  private static final int BUFFER = 8_192;

  /** The longest name, id or type of an event; longer ones are cut, and so never match. */
  private static final int MAX_SHORT = 1_024;

  private final InputStream in;
  private final Growing data;
  private final Growing field = new Growing(MAX_SHORT, true);
  private final Growing value = new Growing(MAX_SHORT, true);
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int end;

  private boolean first = true;
  private boolean afterCr;
  private boolean colon;
  private boolean hasFields;
  private boolean hasData;
  private String type = "";
  private @Nullable String lastEventId;
  private @Nullable String id;
  private long retryMillis = -1;

  /**
   * @param maxBytes the most that one event may carry
   */
  EventStream(InputStream in, int maxBytes) {
    this.in = in;
    this.data = new Growing(maxBytes, false);
  }

  /** The id of the last whole event that had one; null when none had. */
  @Nullable String lastEventId() {
    return lastEventId;
  }

  /** How long the server wants us to wait before we come back; negative when it did not say. */
  long retryMillis() {
    return retryMillis;
  }

  /**
   * The next event or comment; null at the end of the stream.
   *
   * @throws BoundedBody.TooLargeException as soon as an event is over the limit
   */
  @Nullable Item next() throws IOException {
    while (true) {
      if (!line()) {
        return null;
      }
      if (field.length == 0 && !colon) {
        Item event = dispatch();
        if (event != null) {
          return event;
        }
      } else if (field.length == 0) {
        return new Item.Comment();
      } else {
        take(field.text());
      }
    }
  }

  private void take(String name) {
    hasFields = true;
    switch (name) {
      case "data" -> hasData = true;
      case "event" -> type = value.text();
      case "id" -> id = value.text();
      case "retry" -> {
        String digits = value.text();
        if (!digits.isEmpty()
            && digits.length() < 10
            && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
          retryMillis = Long.parseLong(digits);
        }
      }
      default -> {
        // An unknown field is ignored.
      }
    }
  }

  private @Nullable Item dispatch() {
    if (!hasFields) {
      return null;
    }
    if (id != null && id.indexOf('\0') < 0) {
      lastEventId = id.isEmpty() ? null : id;
    }
    Item event = new Item.Event(type, data.take());
    hasFields = false;
    hasData = false;
    type = "";
    id = null;
    return event;
  }

  /** Reads one line into field and value, data lines straight into the event; false at the end. */
  private boolean line() throws IOException {
    field.length = 0;
    value.length = 0;
    colon = false;
    Growing target = field;
    boolean afterColon = false;
    while (true) {
      if (at == end && !fill()) {
        return false;
      }
      byte b = buffer[at];
      if (afterCr) {
        afterCr = false;
        if (b == '\n') {
          at++;
          continue;
        }
      }
      if (b == '\n' || b == '\r') {
        at++;
        afterCr = b == '\r';
        return true;
      }
      if (!colon && b == ':') {
        at++;
        colon = true;
        afterColon = true;
        target = target(field.text());
        continue;
      }
      if (afterColon) {
        afterColon = false;
        if (b == ' ') {
          at++;
          continue;
        }
      }
      int until = colon ? endOfRun() : at + 1;
      target.append(buffer, at, until);
      at = until;
    }
  }

  private Growing target(String name) throws BoundedBody.TooLargeException {
    if (!name.equals("data")) {
      return value;
    }
    if (hasData) {
      data.append(new byte[] {'\n'}, 0, 1);
    }
    return data;
  }

  private int endOfRun() {
    int until = at;
    while (until < end && buffer[until] != '\n' && buffer[until] != '\r') {
      until++;
    }
    return until;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    if (first && end >= 3) {
      // A byte order mark at the very begin is skipped.
      if (buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
        at = 3;
      }
    }
    first = false;
    return end > at || (end > 0 && fill());
  }

  /** Bytes that grow up to a limit. */
  private static final class Growing {
    private final int limit;
    private final boolean cuts;
    private byte[] bytes = new byte[64];
    private int length;

    /**
     * @param cuts whether what is over the limit is dropped; else it is refused
     */
    Growing(int limit, boolean cuts) {
      this.limit = limit;
      this.cuts = cuts;
    }

    void append(byte[] source, int from, int until) throws BoundedBody.TooLargeException {
      int more = until - from;
      if (more > limit - length) {
        if (cuts) {
          return;
        }
        throw new BoundedBody.TooLargeException((long) length + more);
      }
      if (length + more > bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.max(length + more, Math.min(limit, 2L * length)));
      }
      System.arraycopy(source, from, bytes, length, more);
      length += more;
    }

    String text() {
      return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    byte[] take() {
      byte[] taken = bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
      bytes = new byte[64];
      length = 0;
      return taken;
    }
  }
}
