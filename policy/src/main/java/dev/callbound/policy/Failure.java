package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is known about an attempt that did not succeed. The wire reports evidence; what follows from
 * it is for {@link Classifier} alone.
 */
public sealed interface Failure {
  /** The name of the kind as it stands in the record, such as {@code timed_out}. */
  String kind();

  /** One sentence for people: what happened, without what it means. */
  String detail();

  /**
   * Whether the tool may have run. {@code false} only where it is certain that it did not, or where
   * the tool itself reported how it ended.
   */
  boolean mayHaveRun();

  /** Whether it is certain that the tool never saw the request, so that nobody charges for it. */
  default boolean neverArrived() {
    return switch (this) {
      case NotSent _, Unsafe _ -> true;
      case Cancelled cancelled -> !cancelled.sent();
      case Refused _,
          KeyConflict _,
          Limited _,
          ServerError _,
          TimedOut _,
          Broken _,
          WorkerDied _,
          Garbled _,
          TooLarge _,
          ToolError _ ->
          false;
    };
  }

  /**
   * The tool never saw the request: the name did not resolve, the connection or its TLS failed, the
   * process could not be started, the session had expired, or the server said that the request had
   * not arrived whole (408, 425: RFC 9110 §15.5.9, RFC 8470 §5.2).
   */
  record NotSent(String detail) implements Failure {
    @Override
    public String kind() {
      return "not_sent";
    }

    @Override
    public boolean mayHaveRun() {
      return false;
    }
  }

  /**
   * The server answered that it will not do it.
   *
   * @param code the HTTP status, or the JSON-RPC code (negative, where the server keeps to
   *     JSON-RPC)
   */
  record Refused(int code, String detail) implements Failure {
    @Override
    public String kind() {
      return "refused";
    }

    @Override
    public boolean mayHaveRun() {
      return false;
    }
  }

  /**
   * The provider knows the key from a call with other arguments, and did nothing
   * (draft-ietf-httpapi-idempotency-key-header, 2.6).
   */
  record KeyConflict(String detail) implements Failure {
    @Override
    public String kind() {
      return "key_conflict";
    }

    @Override
    public boolean mayHaveRun() {
      return false;
    }
  }

  /**
   * The provider said not now: 429, or 503 with Retry-After (RFC 6585 §4, RFC 9110 §10.2.3).
   *
   * @param retryAfter the wait it named, more than zero; null when it named none
   */
  record Limited(@Nullable Duration retryAfter, String detail) implements Failure {
    public Limited {
      requirePositive(retryAfter);
    }

    @Override
    public String kind() {
      return "limited";
    }

    @Override
    public boolean mayHaveRun() {
      return false;
    }
  }

  /**
   * The server reported an error of its own, which does not exclude the effect.
   *
   * @param code the HTTP status, or the JSON-RPC code (negative, where the server keeps to
   *     JSON-RPC)
   */
  record ServerError(int code, String detail) implements Failure {
    @Override
    public String kind() {
      return "server_error";
    }

    @Override
    public boolean mayHaveRun() {
      return true;
    }
  }

  /**
   * Our timer fired after the request had been sent.
   *
   * @param waited how long the attempt really took, by the monotonic clock
   * @param timer which timer fired
   */
  record TimedOut(Duration waited, Timer timer) implements Failure {
    /** The timers that end an attempt. */
    public enum Timer {
      /** The attempt's deadline. */
      DEADLINE,
      /** The longest silence allowed: no progress was reported for so long. */
      STALL
    }

    public TimedOut {
      if (waited.isNegative()) {
        throw new IllegalArgumentException("waited must not be negative: " + waited);
      }
    }

    @Override
    public String kind() {
      return "timed_out";
    }

    @Override
    public String detail() {
      return switch (timer) {
        case DEADLINE -> "no answer within " + waited.toMillis() + " ms";
        case STALL -> "no progress for too long, given up after " + waited.toMillis() + " ms";
      };
    }

    @Override
    public boolean mayHaveRun() {
      return true;
    }
  }

  /** The connection or the process ended after the request had been sent. */
  record Broken(String detail) implements Failure {
    @Override
    public String kind() {
      return "broken";
    }

    @Override
    public boolean mayHaveRun() {
      return true;
    }
  }

  /** The process that was making the attempt died; known only afterwards, from the journal. */
  record WorkerDied() implements Failure {
    @Override
    public String kind() {
      return "worker_died";
    }

    @Override
    public String detail() {
      return "the process that made the attempt died before its answer was recorded";
    }

    @Override
    public boolean mayHaveRun() {
      return true;
    }
  }

  /** What came back is not a JSON-RPC response to this request. */
  record Garbled(String detail) implements Failure {
    @Override
    public String kind() {
      return "garbled";
    }

    @Override
    public boolean mayHaveRun() {
      return true;
    }
  }

  /**
   * The result is over the limit: refused, not truncated.
   *
   * @param bytes how much had been seen, or was announced, when reading stopped
   * @param limitBytes the limit
   */
  record TooLarge(long bytes, long limitBytes) implements Failure {
    public TooLarge {
      if (limitBytes < 0 || bytes <= limitBytes) {
        throw new IllegalArgumentException(
            "bytes must be over the limit " + limitBytes + ": " + bytes);
      }
    }

    @Override
    public String kind() {
      return "too_large";
    }

    @Override
    public String detail() {
      return "the result has at least " + bytes + " bytes; the limit is " + limitBytes;
    }

    @Override
    public boolean mayHaveRun() {
      return true;
    }
  }

  /**
   * The tool's own {@code isError} result.
   *
   * @param status the status of the provider behind the tool, 400 to 599, where the text plainly
   *     wraps one; null where it does not
   * @param retryAfter the wait that the text names, more than zero; null where it names none
   */
  record ToolError(@Nullable Integer status, @Nullable Duration retryAfter) implements Failure {
    /** A tool error that wraps no status. */
    public static final ToolError PLAIN = new ToolError(null, null);

    public ToolError {
      if (status != null && (status < 400 || status > 599)) {
        throw new IllegalArgumentException("status must be from 400 to 599: " + status);
      }
      requirePositive(retryAfter);
    }

    /** Whether the provider behind the tool said not now. */
    boolean isLimit() {
      return status != null && status == 429;
    }

    @Override
    public String kind() {
      return "tool_error";
    }

    @Override
    public String detail() {
      return status == null
          ? "the tool reported an error"
          : "the tool reported an error that wraps status " + status;
    }

    @Override
    public boolean mayHaveRun() {
      return status != null && status >= 500;
    }
  }

  /** The endpoint leads to an address that the configuration does not allow. */
  record Unsafe(String detail) implements Failure {
    @Override
    public String kind() {
      return "unsafe";
    }

    @Override
    public boolean mayHaveRun() {
      return false;
    }
  }

  /**
   * Somebody ended it.
   *
   * @param by who
   * @param sent whether a byte of the request may have left
   */
  record Cancelled(By by, boolean sent) implements Failure {
    /** Who can end a call. */
    public enum By {
      /** The client asked for it, or went away where that is how a client asks. */
      CLIENT,
      /** The run was cancelled or ended. */
      RUN,
      /** The gateway is stopping. */
      SHUTDOWN,
      /** It made no progress for so long that it is taken to be stuck. */
      STUCK
    }

    @Override
    public String kind() {
      return "cancelled";
    }

    @Override
    public String detail() {
      String who =
          switch (by) {
            case CLIENT -> "the client";
            case RUN -> "the end of its run";
            case SHUTDOWN -> "the gateway's stop";
            case STUCK -> "the gateway, as it made no progress";
          };
      return "cancelled by " + who + (sent ? " after it had been sent" : " before it was sent");
    }

    @Override
    public boolean mayHaveRun() {
      return sent;
    }
  }

  private static void requirePositive(@Nullable Duration retryAfter) {
    if (retryAfter != null && !retryAfter.isPositive()) {
      throw new IllegalArgumentException("retryAfter must be positive: " + retryAfter);
    }
  }
}
