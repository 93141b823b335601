package dev.callbound.gateway.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of a gateway's API that a command needs to work within a run. Thread-safe. */
final class RunsApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int CREATED = 201;
  private static final int OK = 200;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(PATIENCE)
          .proxy(HttpClient.Builder.NO_PROXY)
          .build();
  private final URI gateway;
  private final @Nullable String token;

  /**
   * @param gateway the address of its MCP endpoint
   * @param token what lets one in; null where nothing is needed
   */
  RunsApi(URI gateway, @Nullable String token) {
    this.gateway = gateway;
    this.token = token;
  }

  /**
   * A run that is wished for. Null stands for what the config says, or for none.
   *
   * @param client who opens it, for people
   * @param expected what it is to bring about, each as KIND:WHAT
   */
  record Wish(
      String client,
      @Nullable String name,
      @Nullable String deadline,
      @Nullable Integer retries,
      @Nullable String spend,
      List<String> expected) {
    Wish {
      expected = List.copyOf(expected);
    }
  }

  /**
   * Opens a run, or comes back to the one of that name.
   *
   * @return its id
   */
  String open(Wish wish) throws InterruptedException {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("client", wish.client());
    if (wish.name() != null) {
      body.put("name", wish.name());
    }
    if (wish.deadline() != null) {
      body.put("deadline", wish.deadline());
    }
    if (wish.retries() != null) {
      body.put("retries", wish.retries());
    }
    if (wish.spend() != null) {
      body.put("spend", wish.spend());
    }
    if (!wish.expected().isEmpty()) {
      ArrayNode expect = body.putArray("expect");
      wish.expected().forEach(expect::add);
    }
    return post("/v1/runs", body, List.of(CREATED, OK)).path("id").asText();
  }

  /** Ends a run whose work is finished. */
  void finish(String run, String reason) throws InterruptedException {
    end(run, "finish", reason);
  }

  /** Ends a run whose work is not. */
  void cancel(String run, String reason) throws InterruptedException {
    end(run, "cancel", reason);
  }

  private void end(String run, String how, String reason) throws InterruptedException {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("reason", reason);
    post("/v1/runs/" + run + "/" + how, body, List.of(OK));
  }

  private JsonNode post(String path, ObjectNode body, List<Integer> expected)
      throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(gateway.resolve(path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<String> response;
    try {
      response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandFailedException(
          "the gateway at " + gateway + " does not answer: " + e.getMessage());
    }
    JsonNode answer = json(response.body());
    if (!expected.contains(response.statusCode())) {
      throw new CommandFailedException(
          "the gateway at %s says: %s"
              .formatted(
                  gateway, answer.at("/error/message").asText("status " + response.statusCode())));
    }
    return answer;
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return JsonNodeFactory.instance.objectNode();
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
