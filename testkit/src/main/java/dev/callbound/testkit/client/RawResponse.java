package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.nio.charset.StandardCharsets;

/** An HTTP response as it came, read whole. */
public final class RawResponse {
  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;

  RawResponse(int status, HttpHeaders headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  public int status() {
    return status;
  }

  public HttpHeaders headers() {
    return headers;
  }

  public byte[] body() {
    return body.clone();
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /**
   * The body as JSON.
   *
   * @throws IllegalArgumentException if it is none
   */
  public JsonNode json() {
    return JsonRpc.parse(text());
  }

  @Override
  public String toString() {
    String text = text();
    return "HTTP " + status + ": " + text.substring(0, Math.min(500, text.length()));
  }
}
