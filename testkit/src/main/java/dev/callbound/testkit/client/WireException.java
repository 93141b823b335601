package dev.callbound.testkit.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that got no JSON-RPC response, and what there was instead. */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Kind kind;
  private final transient @Nullable RawResponse response;

  /** What went wrong, as the client saw it. */
  public enum Kind {
    /** No connection, or the process could not be started. */
    NOT_CONNECTED,
    /** An HTTP status other than 200, without a JSON-RPC response in its body. */
    STATUS,
    /** The connection or the process ended before the answer did. */
    BROKEN,
    /** A complete response that holds no answer. */
    NO_ANSWER,
    /** Something that is not the answer to this request. */
    NOT_THE_ANSWER,
    /** Nothing came within the client's own timeout. */
    TIMED_OUT,
    /** The client itself ended the call. */
    HUNG_UP
  }

  WireException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, null, cause);
  }

  WireException(
      Kind kind, String message, @Nullable RawResponse response, @Nullable Throwable cause) {
    super(kind + ": " + message, cause);
    this.kind = kind;
    this.response = response;
  }

  public Kind kind() {
    return kind;
  }

  /** The HTTP response, where one came. */
  public Optional<RawResponse> response() {
    return Optional.ofNullable(response);
  }
}
