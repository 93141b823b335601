package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Looks into a fault server that runs as a process of its own, through its admin endpoint: this one
 * or any other that has the same. Thread-safe.
 */
public final class FaultAdmin implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final URI base;

  private FaultAdmin(URI base) {
    this.base = base;
  }

  /** Looks into the server at this address; its path is of no importance. */
  public static FaultAdmin at(URI address) {
    return new FaultAdmin(address);
  }

  /** The address that was given, without its path. */
  public URI address() {
    return base.resolve("/");
  }

  public LedgerReport ledger() throws IOException, InterruptedException {
    return LedgerReport.read(ledgerJson());
  }

  /** The ledger in the form of {@code GET /_ledger}. */
  public JsonNode ledgerJson() throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(base.resolve("/_ledger")).GET());
  }

  /** Changes the server's ways. */
  public void control(String json) throws IOException, InterruptedException {
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(json);
    send(HttpRequest.newBuilder(base.resolve("/_control")).POST(body));
  }

  /** Forgets effects, calls, counters and control settings. */
  public void reset() throws IOException, InterruptedException {
    HttpRequest.BodyPublisher nothing = HttpRequest.BodyPublishers.noBody();
    send(HttpRequest.newBuilder(base.resolve("/_reset")).POST(nothing));
  }

  @Override
  public void close() {
    client.close();
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofByteArray());
    JsonNode body = JsonRpc.read(response.body());
    if (response.statusCode() != 200) {
      throw new IOException("the fault server refused: " + response.statusCode() + " " + body);
    }
    return body;
  }
}
