package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One thing that a scenario does: a scenario is a list of these, done in turn. */
sealed interface Step {

  /** Executes the write. */
  record Effect(boolean keyed, @Nullable Duration keptFor, boolean oncePerMarker) implements Step {
    static final Effect PLAIN = new Effect(false, null, false);
  }

  /** Claims the call's key until the effect, so that a second call with it joins or is refused. */
  record Reserve(boolean refuseSecond) implements Step {}

  record Sleep(Duration duration) implements Step {}

  /** Reports progress; for ever where the count is 0. */
  record Progress(Duration every, int count) implements Step {}

  /** Gives signs of life that are not progress; for ever where the count is 0. */
  record Heartbeat(Duration every, int count, Sign sign) implements Step {}

  enum Sign {
    COMMENT,
    LOG,
    PING
  }

  /** Log lines in the message stream, and bytes on standard error. */
  record Noise(int lines, int bytes) implements Step {}

  /** Asks the client something and goes on with its answer. */
  record Ask(String method, JsonNode params, Duration timeout) implements Step {}

  record Reply(Content content, ReplyId id, boolean twice, boolean split) implements Step {
    static Reply of(Content content) {
      return new Reply(content, ReplyId.SAME, false, false);
    }

    static Reply text(String text) {
      return of(Content.text(text));
    }

    /** What the tool would normally say. */
    static Reply normal() {
      return of(Content.NORMAL);
    }
  }

  /** The id under which an answer goes out. */
  enum ReplyId {
    SAME,
    AS_STRING,
    WRONG
  }

  record RpcError(int code, String message, @Nullable JsonNode data) implements Step {}

  /** A plain HTTP response instead of a JSON-RPC one. */
  record Status(
      int status, HttpHeaders headers, @Nullable RetryDate retryAt, String body, String type)
      implements Step {
    static Status of(int status) {
      return new Status(status, new HttpHeaders(), null, defaultBody(status), "application/json");
    }

    static String defaultBody(int status) {
      return "{\"error\":\"status " + status + "\"}";
    }

    Status header(String name, String value) {
      return new Status(
          status, new HttpHeaders().setAll(headers).set(name, value), retryAt, body, type);
    }
  }

  /** A Retry-After in the form of a date, this long from when it is sent. */
  record RetryDate(Duration ahead) {}

  /** A 200 (or another status) whose body is no JSON-RPC message. */
  record Raw(int status, String type, String body) implements Step {
    static final Raw GARBAGE = new Raw(200, "application/json", "upstream says: <<not json>>");
  }

  /** Announces the whole answer, sends half of it and cuts the connection. */
  record Truncate(Content content) implements Step {}

  /** Sends the head and the first bytes of an answer, then nothing more. */
  record Stall() implements Step {}

  /** Cuts the event stream; the rest can be had with Last-Event-ID if it is resumable. */
  record Drop(boolean resumable) implements Step {}

  /** Waits until the client has come back for a dropped stream. */
  record Resumed(Duration timeout) implements Step {}

  record Reset() implements Step {}

  record Close() implements Step {}

  record Hang() implements Step {}

  record Crash(int exitCode) implements Step {}

  /**
   * What a tool result holds.
   *
   * @param text the text; null for the tool's normal answer
   * @param value a structured answer; null for the tool's normal one
   * @param bytes a filler of this size instead; 0 for none
   */
  record Content(
      @Nullable String text,
      @Nullable JsonNode value,
      boolean error,
      boolean empty,
      int bytes,
      boolean image) {
    static final Content NORMAL = new Content(null, null, false, false, 0, false);
    static final Content EMPTY = new Content(null, null, false, true, 0, false);

    static Content text(String text) {
      return new Content(text, null, false, false, 0, false);
    }

    static Content error(String text) {
      return new Content(text, null, true, false, 0, false);
    }

    static Content value(JsonNode value) {
      return new Content(null, value, false, false, 0, false);
    }

    static Content filler(int bytes, boolean image) {
      return new Content(null, null, false, false, bytes, image);
    }
  }
}
