package dev.callbound.gateway.door.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.RpcError;
import io.helidon.http.HeaderName;
import io.helidon.http.Status;
import java.util.LinkedHashMap;
import java.util.Map;

/** A request that the door turns away before anybody behind it hears of it. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Status status;
  private final transient RpcError error;
  private final transient Json id;
  private final transient Map<HeaderName, String> headers = new LinkedHashMap<>();

  private RefusedException(Status status, RpcError error, Json id) {
    super(error.message());
    this.status = status;
    this.error = error;
    this.id = id;
  }

  /** Turns away a request whose message was not read, or has no id. */
  static RefusedException of(Status status, String message) {
    return new RefusedException(status, RpcError.of(RpcError.INVALID_REQUEST, message), Json.NULL);
  }

  /** Turns away a request for what its message says. */
  static RefusedException of(Status status, RpcError error, Json id) {
    return new RefusedException(status, error, id);
  }

  /** The same, with a header field to say more. */
  RefusedException with(HeaderName name, String value) {
    headers.put(name, value);
    return this;
  }

  Status status() {
    return status;
  }

  RpcError error() {
    return error;
  }

  /** The id of the request; {@code null} as JSON where it has none. */
  Json id() {
    return id;
  }

  Map<HeaderName, String> headers() {
    return headers;
  }
}
