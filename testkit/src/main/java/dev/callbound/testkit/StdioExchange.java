package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntConsumer;

/** A request that came on stdin. What has no counterpart on stdio is done as nothing: a hang. */
final class StdioExchange implements Exchange {
  private final StdioOutput out;
  private final Session session;
  private final String protocol;
  private final JsonNode id;
  private final IntConsumer exit;

  StdioExchange(StdioOutput out, Session session, String protocol, JsonNode id, IntConsumer exit) {
    this.out = out;
    this.session = session;
    this.protocol = protocol;
    this.id = id;
    this.exit = exit;
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public String protocol() {
    return protocol;
  }

  @Override
  public JsonNode id() {
    return id;
  }

  @Override
  public boolean canStream() {
    return true;
  }

  @Override
  public boolean gone() {
    return false;
  }

  @Override
  public void whenGone(Runnable action) {
    // A client that goes away ends stdin, and with it this process.
  }

  @Override
  public void stream() {
    // There is only the one stream.
  }

  @Override
  public void message(JsonNode message) {
    out.line(JsonRpc.bytes(message));
  }

  @Override
  public void comment(String text) {
    // Lines of JSON have no comments.
  }

  @Override
  public void noise(String line) {
    out.line(line.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void answer(JsonNode answer, int status, boolean split) throws InterruptedException {
    byte[] line = JsonRpc.bytes(answer);
    if (split) {
      out.line(SplitText.pieces(line));
    } else {
      out.line(line);
    }
  }

  @Override
  public void status(int status, HttpHeaders headers, String body) throws InterruptedException {
    boolean json = "application/json".equals(headers.first("Content-Type"));
    if (status < 400 || !json) {
      noise(body);
      return;
    }
    JsonNode data = object("httpStatus", status, "retryAfter", headers.first("Retry-After"));
    answer(JsonRpc.error(id, -32000, "upstream status " + status, data), status, false);
  }

  @Override
  public void raw(int status, String type, String body) {
    noise(body);
  }

  @Override
  public void truncate(JsonNode answer) {
    byte[] line = JsonRpc.bytes(answer);
    out.line(Arrays.copyOf(line, line.length / 2));
  }

  @Override
  public void stall() {
    // A hang.
  }

  @Override
  public void drop(boolean resumable) {
    // A hang, unless the scenario goes on.
  }

  @Override
  public void awaitResumed(Duration timeout) {
    // Nothing was dropped.
  }

  @Override
  public void reset() {
    exit.accept(1);
  }

  @Override
  public void close() {
    exit.accept(0);
  }

  @Override
  public void endUnanswered() {
    // On stdio an answer that does not come needs no end.
  }
}
