package dev.callbound.testkit;

import dev.callbound.testkit.wire.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** One HTTP request, read whole. */
final class HttpRequest {
  private final String method;
  private final String target;
  private final HttpHeaders headers;
  private final byte[] body;

  HttpRequest(String method, String target, HttpHeaders headers, byte[] body) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = body;
  }

  String method() {
    return method;
  }

  HttpHeaders headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }

  /** The target without its query. */
  String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** The first header of this name; null if there is none. */
  @Nullable String header(String name) {
    return headers.first(name);
  }

  /** Whether the client takes an event stream as an answer. */
  boolean acceptsEvents() {
    String accepted = String.join(",", headers.all("Accept"));
    return accepted.contains("text/event-stream") || accepted.contains("*/*");
  }
}
