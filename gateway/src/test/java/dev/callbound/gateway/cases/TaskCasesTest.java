package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.Answer;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks as clients of both revisions get them that have any. */
class TaskCasesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TASKS =
      "{\"elicitation\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
  private static final Set<String> OVER = Set.of("completed", "failed", "cancelled");

  @TempDir Path folder;

  @Test
  void aClientOfTheExtensionGetsATaskAndInItTheResult() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 500ms", "")) {
      McpClient client = modern(world);
      JsonNode discovered = client.request("server/discover", "{}").path("result");
      assertThat(
              discovered
                  .path("capabilities")
                  .path("extensions")
                  .has("io.modelcontextprotocol/tasks"))
          .isTrue();
      assertThat(client.request("tools/list", "{}").toString()).doesNotContain("callbound_await");

      JsonNode created = client.call("read_slow", "{\"delay_ms\":2500}").path("result");
      assertThat(created.path("resultType").asText()).isEqualTo("task");
      assertThat(created.path("status").asText()).isEqualTo("working");
      assertThat(created.path("ttlMs").asLong()).isPositive();
      assertThat(created.path("pollIntervalMs").asLong()).isPositive();
      String id = created.path("taskId").asText();

      JsonNode working = get(client, id).path("result");
      assertThat(working.path("resultType").asText()).isEqualTo("complete");
      assertThat(working.path("status").asText()).isEqualTo("working");
      JsonNode over = over(client, id);
      assertThat(over.path("status").asText()).isEqualTo("completed");
      assertThat(over.path("result").path("content").path(0).path("text").asText())
          .isEqualTo("slow but fine");
      assertThat(over.path("createdAt")).isEqualTo(created.path("createdAt"));
      assertThat(over.path("ttlMs")).isEqualTo(created.path("ttlMs"));

      world.restart();
      assertThat(get(modern(world), id).path("result")).isEqualTo(over);
    }
  }

  /** A quick call has its result for an answer, whatever its client declared. */
  @Test
  void whatIsQuickIsNoTask() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      JsonNode answer = modern(world).call("read_ok", "{}");
      assertThat(answer.path("result").path("resultType").asText()).isEqualTo("complete");
      assertThat(World.outcome(answer)).isEqualTo("ok");
    }
  }

  /** An error of the tool, or an outcome in doubt, completes a task; nothing is lost. */
  @Test
  void anErrorResultCompletesATask() throws Exception {
    String bounds = "detach_after: 300ms, deadline: 1s, attempts: 1, late_window: 0";
    try (World world = World.of(folder, Way.HTTP, bounds, "")) {
      McpClient client = modern(world);
      String id = task(client.call("write_then_hang", "{\"marker\":\"doubt\"}"));

      JsonNode over = over(client, id);
      assertThat(over.path("status").asText()).isEqualTo("completed");
      assertThat(over.path("result").path("isError").asBoolean()).isTrue();
      assertThat(
              over.path("result")
                  .path("_meta")
                  .path("dev.callbound/outcome")
                  .path("reason")
                  .asText())
          .isEqualTo("timed_out");
      assertThat(over.path("statusMessage").asText()).contains("no answer within");
    }
  }

  @Test
  void aTaskIsCancelledAndItsCallWithIt() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", "")) {
      McpClient client = modern(world);
      String id = task(client.call("read_hang", "{}"));

      JsonNode acknowledged = request(client, "tasks/cancel", id).path("result");
      assertThat(acknowledged.path("resultType").asText()).isEqualTo("complete");
      assertThat(over(client, id).path("status").asText()).isEqualTo("cancelled");
      assertThat(World.outcome(world.recorded("read_hang"))).isEqualTo("stopped/cancelled");
    }
  }

  /** The server asks; the task shows it, and takes the answer. */
  @Test
  void aTaskThatAsksIsAnsweredThroughIt() throws Exception {
    String bounds = "detach_after: 300ms, deadline: 30s";
    try (World world = World.of(folder, Way.HTTP, bounds, "")) {
      McpClient client = modern(world);
      String id =
          task(
              client.call(
                  "inject_read",
                  "{\"steps\":[{\"do\":\"sleep\",\"ms\":900},{\"do\":\"ask\","
                      + "\"method\":\"elicitation/create\",\"params\":{\"message\":\"on?\"},"
                      + "\"timeout_ms\":20000}]}"));
      assertThat(Eventually.holds(() -> status(client, id).equals("input_required"))).isTrue();
      JsonNode asking = get(client, id).path("result");
      String key = asking.path("inputRequests").fieldNames().next();
      JsonNode question = asking.path("inputRequests").path(key);
      assertThat(question.path("method").asText()).isEqualTo("elicitation/create");
      assertThat(question.path("params").path("message").asText()).isEqualTo("on?");

      update(client, id, "nobody.asked");
      assertThat(status(client, id)).isEqualTo("input_required");
      update(client, id, key);
      assertThat(over(client, id).path("status").asText()).isEqualTo("completed");
    }
  }

  @Test
  void aStreamHearsHowItsTasksStand() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", "")) {
      McpClient client = modern(world);
      String id = task(client.call("read_slow", "{\"delay_ms\":2000}"));
      PendingCall listening =
          client.begin(
              McpRequest.of(
                  "subscriptions/listen",
                  MAPPER.readTree(
                      "{\"notifications\":{\"taskIds\":[\"%s\",\"c_00000000000000000000000000\"]}}"
                          .formatted(id))));

      assertThat(
              Eventually.holds(
                  () ->
                      client.notifications("notifications/tasks").stream()
                          .anyMatch(
                              told ->
                                  told.path("params").path("status").asText().equals("completed"))))
          .isTrue();
      JsonNode last = client.notifications("notifications/tasks").getLast().path("params");
      assertThat(last.path("taskId").asText()).isEqualTo(id);
      assertThat(last.path("result").path("content").path(0).path("text").asText())
          .isEqualTo("slow but fine");
      assertThat(
              client
                  .notifications("notifications/subscriptions/acknowledged")
                  .getFirst()
                  .path("params")
                  .path("notifications")
                  .path("taskIds")
                  .toString())
          .isEqualTo("[\"" + id + "\"]");
      listening.hangUp();
    }
  }

  @Test
  void whoDidNotDeclareTasksMayNotAskForThem() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", "")) {
      McpClient client = world.client(Revision.V2026_07_28);
      for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
        JsonNode error = request(client, method, "c_1").path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32021);
        assertThat(
                error
                    .path("data")
                    .path("requiredCapabilities")
                    .path("extensions")
                    .has("io.modelcontextprotocol/tasks"))
            .isTrue();
      }
      JsonNode listening =
          client.request("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"c_1\"]}}");
      assertThat(listening.path("error").path("code").asInt()).isEqualTo(-32021);
      assertThat(request(modern(world), "tasks/get", "c_1").path("error").path("code").asInt())
          .isEqualTo(-32602);
      assertThat(request(modern(world), "tasks/list", "c_1").path("error").path("code").asInt())
          .isEqualTo(-32601);
    }
  }

  @Test
  void theHeaderNamesTheTask() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      JsonNode answer =
          modern(world)
              .call(
                  McpRequest.of("tasks/get", MAPPER.readTree("{\"taskId\":\"c_1\"}"))
                      .header("Mcp-Name", "c_2"));
      assertThat(answer.path("error").path("code").asInt()).isEqualTo(-32020);
    }
  }

  @Test
  void anOlderClientThatAsksForATaskGetsItAtOnce() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      McpClient client = world.client();
      assertThat(
              client
                  .initializeResult()
                  .path("capabilities")
                  .path("tasks")
                  .path("requests")
                  .toString())
          .isEqualTo("{\"tools\":{\"call\":{}}}");
      JsonNode listed = client.request("tools/list", "{}").path("result").path("tools");
      assertThat(listed.path(0).path("execution").path("taskSupport").asText())
          .isEqualTo("optional");

      String id = requested(client, "read_slow", "{\"delay_ms\":1500}");
      assertThat(older(client, id).path("status").asText()).isEqualTo("working");
      JsonNode result = request(client, "tasks/result", id);
      assertThat(World.text(result)).isEqualTo("slow but fine");
      assertThat(related(result)).isEqualTo(id);
      assertThat(older(client, id).path("status").asText()).isEqualTo("completed");
      assertThat(Eventually.holds(() -> client.request("tasks/list", "{}").toString().contains(id)))
          .isTrue();

      String quick = requested(client, "read_ok", "{}");
      assertThat(World.text(request(client, "tasks/result", quick))).isEqualTo("ok");
      String failing = requested(client, "is_error_text", "{}");
      assertThat(World.outcome(request(client, "tasks/result", failing)))
          .isEqualTo("stopped/tool_error");
      assertThat(older(client, failing).path("status").asText()).isEqualTo("failed");
    }
  }

  @Test
  void anOlderTaskIsCancelledOnceAndStaysSo() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      McpClient client = world.client();
      String id = requested(client, "write_then_hang", "{\"marker\":\"older\"}");
      assertThat(Eventually.holds(() -> !world.server().ledger().effectsMarked("older").isEmpty()))
          .isTrue();

      assertThat(request(client, "tasks/cancel", id).path("result").path("status").asText())
          .isEqualTo("cancelled");
      assertThat(request(client, "tasks/cancel", id).path("error").path("code").asInt())
          .isEqualTo(-32602);
      assertThat(World.outcome(request(client, "tasks/result", id)))
          .isEqualTo("unknown/cancelled_in_flight");
      assertThat(older(client, id).path("status").asText()).isEqualTo("cancelled");
      world.restart();
      assertThat(older(world.client(), id).path("status").asText()).isEqualTo("cancelled");
    }
  }

  /** A question of an older task comes to whoever waits for its result, and says whose it is. */
  @Test
  void anOlderTaskAsksWhereItsResultIsWaitedFor() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 30s", "")) {
      McpClient client =
          world.connect(
              McpClient.http(world.gateway().url())
                  .capabilities("{\"elicitation\":{}}")
                  .onRequest(
                      (method, params) ->
                          new Answer.Result(MAPPER.createObjectNode().put("action", "accept"))));
      String id =
          requested(
              client,
              "inject_read",
              "{\"steps\":[{\"do\":\"ask\",\"method\":\"elicitation/create\","
                  + "\"params\":{\"message\":\"on?\"},\"timeout_ms\":20000}]}");
      assertThat(
              Eventually.holds(
                  () -> older(client, id).path("status").asText().equals("input_required")))
          .isTrue();

      assertThat(World.outcome(request(client, "tasks/result", id))).isEqualTo("ok");
      assertThat(
              client
                  .serverRequests()
                  .getLast()
                  .path("params")
                  .path("_meta")
                  .path("io.modelcontextprotocol/related-task")
                  .path("taskId")
                  .asText())
          .isEqualTo(id);
    }
  }

  /** Nothing is told of what is another's, or nothing at all; and nothing of it is changed. */
  @Test
  void whatIsNoTaskOfOnesOwnIsNone() throws Exception {
    String tokens =
        "listen: {tokens: [{principal: ana, token: aaaaaaaaaaaaaaaaaaaa},"
            + " {principal: ben, token: bbbbbbbbbbbbbbbbbbbb}]}";
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", tokens)) {
      McpClient ana = modern(world, "aaaaaaaaaaaaaaaaaaaa");
      McpClient ben = modern(world, "bbbbbbbbbbbbbbbbbbbb");
      McpClient older =
          world.connect(
              McpClient.http(world.gateway().url())
                  .header("Authorization", "Bearer bbbbbbbbbbbbbbbbbbbb"));
      String id = task(ana.call("read_slow", "{\"delay_ms\":1500}"));
      String none = id.substring(0, id.length() - 1) + (id.endsWith("0") ? "1" : "0");
      Map<McpClient, List<String>> methods =
          Map.of(
              ben,
              List.of("tasks/get", "tasks/cancel", "tasks/update"),
              older,
              List.of("tasks/get", "tasks/cancel", "tasks/result"));
      for (McpClient client : methods.keySet()) {
        for (String method : methods.get(client)) {
          String params = "{\"taskId\":\"%s\",\"inputResponses\":{}}";
          JsonNode others = client.request(method, params.formatted(id)).path("error");
          assertThat(others.path("code").asInt()).as(method).isEqualTo(-32602);
          assertThat(others.toString().replace(id, none))
              .isEqualTo(client.request(method, params.formatted(none)).path("error").toString());
        }
        for (String malformed : List.of("5", "null", "{}", "[]", "\"%\"")) {
          JsonNode error =
              client.request("tasks/get", "{\"taskId\":" + malformed + "}").path("error");
          assertThat(error.path("code").asInt()).as(malformed).isEqualTo(-32602);
        }
      }
      assertThat(older.request("tasks/list", "{}").path("result").path("tasks")).isEmpty();

      assertThat(over(ana, id).path("status").asText()).isEqualTo("completed");
    }
  }

  @Test
  void whatIsOverStaysAsItEndedUntilItsTimeIsOver() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", "")) {
      McpClient client = modern(world);
      String id = task(client.call("read_slow", "{\"delay_ms\":600}"));
      JsonNode over = over(client, id);

      for (String method : List.of("tasks/cancel", "tasks/update")) {
        JsonNode acknowledged =
            client.request(
                method, "{\"taskId\":\"%s\",\"inputResponses\":{\"q\":5}}".formatted(id));
        assertThat(acknowledged.path("result").path("resultType").asText()).isEqualTo("complete");
      }
      assertThat(get(client, id).path("result")).isEqualTo(over);
      assertThat(older(world.client(), id).path("status").asText())
          .as("to clients of either revision")
          .isEqualTo("completed");

      forgetInTime(id);
      assertThat(get(client, id).path("error").path("code").asInt()).isEqualTo(-32602);
      assertThat(request(world.client(), "tasks/result", id).path("error").path("code").asInt())
          .isEqualTo(-32602);
      assertThat(world.client().request("tasks/list", "{}").path("result").path("tasks")).isEmpty();
    }
  }

  /** As if the time for which the task is kept were over. */
  private void forgetInTime(String id) throws Exception {
    try (Connection journal =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("callbound.db"));
        Statement statement = journal.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "UPDATE tasks SET kept_until_ms = 1 WHERE call = '" + id + "'"))
          .isEqualTo(1);
    }
  }

  private static McpClient modern(World world, String token) throws Exception {
    return world.connect(
        McpClient.http(world.gateway().url())
            .revision(Revision.V2026_07_28)
            .capabilities(TASKS)
            .header("Authorization", "Bearer " + token));
  }

  private static McpClient modern(World world) throws Exception {
    return world.connect(
        McpClient.http(world.gateway().url()).revision(Revision.V2026_07_28).capabilities(TASKS));
  }

  private static String task(JsonNode response) {
    assertThat(response.path("result").path("resultType").asText())
        .as("%s", response)
        .isEqualTo("task");
    return response.path("result").path("taskId").asText();
  }

  private static String requested(McpClient client, String tool, String arguments)
      throws Exception {
    JsonNode response =
        client.call(McpRequest.call(tool, arguments).param("task", "{\"ttl\":60000}"));
    JsonNode task = response.path("result").path("task");
    assertThat(task.path("status").asText()).as("%s", response).isEqualTo("working");
    return task.path("taskId").asText();
  }

  private static String related(JsonNode response) {
    return response
        .path("result")
        .path("_meta")
        .path("io.modelcontextprotocol/related-task")
        .path("taskId")
        .asText();
  }

  private static JsonNode request(McpClient client, String method, String id) throws Exception {
    return client.request(method, "{\"taskId\":\"%s\"}".formatted(id));
  }

  private static JsonNode get(McpClient client, String id) throws Exception {
    return request(client, "tasks/get", id);
  }

  private static JsonNode older(McpClient client, String id) throws Exception {
    return get(client, id).path("result");
  }

  private static String status(McpClient client, String id) throws Exception {
    return get(client, id).path("result").path("status").asText();
  }

  private static void update(McpClient client, String id, String key) throws Exception {
    JsonNode acknowledged =
        client.request(
            "tasks/update",
            "{\"taskId\":\"%s\",\"inputResponses\":{\"%s\":{\"action\":\"accept\"}}}"
                .formatted(id, key));
    assertThat(acknowledged.path("result").path("resultType").asText()).isEqualTo("complete");
  }

  private static JsonNode over(McpClient client, String id) throws Exception {
    assertThat(Eventually.holds(() -> OVER.contains(status(client, id)))).isTrue();
    return get(client, id).path("result");
  }
}
