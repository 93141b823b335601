package dev.callbound.gateway.cases;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.JsonRpc;
import dev.callbound.testkit.wire.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A program that speaks to the gateway's API, beside whoever speaks MCP. */
final class Programs implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI gateway;

  /**
   * @param gateway the address of its MCP endpoint
   */
  Programs(URI gateway) {
    this.gateway = gateway;
  }

  /** An answer in JSON. */
  record Answer(int status, JsonNode body) {}

  Answer get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(gateway.resolve(path)).GET());
  }

  /** Headers as NAME, VALUE, and so on. */
  Answer post(String path, String json, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(gateway.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), JsonRpc.parse(response.body()));
  }

  /**
   * The events of a run after this one, up to the first that satisfies the condition or to the end
   * of the stream.
   */
  List<SseReader.Event> events(String run, String after, Predicate<SseReader.Event> last)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(gateway.resolve("/v1/runs/" + run + "/events"))
            .header("Accept", "text/event-stream")
            .header("Last-Event-ID", after)
            .build();
    List<SseReader.Event> events = new ArrayList<>();
    HttpResponse<InputStream> response =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      SseReader reader = new SseReader(body);
      for (SseReader.Event event = reader.next(); event != null; event = reader.next()) {
        events.add(event);
        if (last.test(event)) {
          break;
        }
      }
    }
    return events;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
