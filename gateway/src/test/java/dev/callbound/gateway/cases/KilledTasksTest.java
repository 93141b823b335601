package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real process is killed with {@code kill -9} in the middle of a hundred detached calls of
 * every kind, and started again: each of them ends, each effect is there once, each task answers.
 */
class KilledTasksTest {
  private static final int OF_A_KIND = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Set<String> OVER = Set.of("completed", "failed", "cancelled");
  private static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

  private static final String BOUNDS =
      "detach_after: 300ms, deadline: 60s, record: full, tools: {"
          + "write_with_key: {recognise: {key: {argument: idempotency_key}}}, "
          + "delete_thing: {approve: required}, "
          + "inject_write: {recognise: {check: {tool: find_by_marker,"
          + " arguments: {marker: '{/marker}'}, found: {at: '/objects/*'}, settles_after: 500ms}}}}";

  @TempDir Path folder;

  /** What a call is, and what is right for it after the crash. */
  private enum Kind {
    READ,
    KEYED,
    CHECKED,
    UNRECOGNISED,
    APPROVED
  }

  private record Task(Kind kind, String marker, PendingCall begun) {}

  @Test
  void eachEndsOnceAndAnswers() throws Exception {
    try (Faults server = Faults.http(folder, "fault")) {
      Path config = World.file(folder, List.of(server), BOUNDS, "run: {retries: 1000}");
      Map<String, Task> tasks;
      try (GatewayProcess first = GatewayProcess.serve(folder, config)) {
        tasks = detached(first);
        assertThat(Eventually.holds(() -> underWay(server.ledger())))
            .as("all that waits for nobody is under way")
            .isTrue();
        first.kill();
      }
      assertThat(tasks).hasSize(OF_A_KIND * Kind.values().length);

      try (GatewayProcess second = GatewayProcess.serve(folder, config);
          McpClient client = client(second)) {
        approve();
        Map<String, JsonNode> told = new LinkedHashMap<>();
        for (String id : tasks.keySet()) {
          assertThat(Eventually.holds(PATIENCE, () -> isOver(client, id)))
              .as("%s ends: %s", tasks.get(id), get(client, id))
              .isTrue();
          told.put(id, get(client, id));
        }
        tasks.forEach((id, task) -> assertRight(task, told.get(id), server.ledger()));
        assertThat(server.ledger().callsOf("delete_thing")).hasSize(OF_A_KIND);
        assertRecorded(told);
      }
    }
  }

  private static boolean underWay(LedgerReport ledger) {
    return Stream.of("read_slow", "write_with_key", "inject_write", "write_slow")
        .allMatch(tool -> ledger.callsOf(tool).size() == OF_A_KIND);
  }

  private static Map<String, Task> detached(GatewayProcess gateway) throws Exception {
    Map<String, Task> tasks = new LinkedHashMap<>();
    try (McpClient client = client(gateway)) {
      client.request("tools/list", "{}");
      List<Task> begun =
          EnumSet.allOf(Kind.class).stream()
              .flatMap(
                  kind ->
                      IntStream.range(0, OF_A_KIND)
                          .mapToObj(number -> begin(client, kind, kind + "-" + number)))
              .toList();
      for (Task task : begun) {
        JsonNode created = task.begun().await().path("result");
        assertThat(created.path("resultType").asText()).as("%s", created).isEqualTo("task");
        tasks.put(created.path("taskId").asText(), task);
      }
    }
    return tasks;
  }

  private static Task begin(McpClient client, Kind kind, String marker) {
    String marked = "\"marker\":\"" + marker + "\"";
    PendingCall begun =
        switch (kind) {
          case READ -> client.begin("read_slow", "{\"delay_ms\":8000," + marked + "}");
          case KEYED -> client.begin("write_with_key", "{\"delay_ms\":8000," + marked + "}");
          case CHECKED ->
              client.begin(
                  "inject_write",
                  ("{%s,\"times\":1,\"steps\":[{\"do\":\"effect\"},{\"do\":\"sleep\",\"ms\":8000},"
                          + "{\"do\":\"reply\"}],\"then\":[{\"do\":\"effect\"},{\"do\":\"reply\"}]}")
                      .formatted(marked));
          case UNRECOGNISED ->
              client.begin("write_slow", "{\"delay_ms\":8000,\"when\":\"before\"," + marked + "}");
          case APPROVED -> client.begin("delete_thing", "{\"id\":\"" + marker + "\"}");
        };
    return new Task(kind, marker, begun);
  }

  private void approve() {
    Path file = GatewayProcess.journal(folder);
    try (JournalReader journal = SqliteJournal.openReadOnly(file)) {
      journal
          .tasks()
          .waiting(1_000)
          .forEach(
              waiting ->
                  assertThat(
                          SqliteJournal.ruleBeside(
                              file,
                              waiting.call(),
                              new Ruling(Ruling.Kind.APPROVED, Instant.now(), "ana", null)))
                      .isEqualTo(Ruling.Result.RULED));
    }
  }

  private static void assertRight(Task task, JsonNode told, LedgerReport ledger) {
    JsonNode result = told.path("result");
    String reason =
        result.path("_meta").path("dev.callbound/outcome").path("reason").asText("none");
    assertThat(told.path("status").asText()).as("%s: %s", task, told).isEqualTo("completed");
    switch (task.kind()) {
      case READ ->
          assertThat(result.path("content").path(0).path("text").asText())
              .isEqualTo("slow but fine");
      case KEYED, CHECKED -> {
        assertThat(result.path("isError").asBoolean()).as("%s", told).isFalse();
        assertThat(ledger.effectsMarked(task.marker())).hasSize(1);
      }
      case UNRECOGNISED -> {
        assertThat(reason).as("%s", told).isEqualTo("worker_died");
        assertThat(ledger.callsMarked(task.marker())).hasSize(1);
        assertThat(ledger.effectsMarked(task.marker())).hasSize(1);
      }
      case APPROVED -> assertThat(result.path("isError").asBoolean()).as("%s", told).isFalse();
    }
  }

  /** The record says of each what its task says. */
  private void assertRecorded(Map<String, JsonNode> told) {
    try (JournalReader journal = SqliteJournal.openReadOnly(GatewayProcess.journal(folder))) {
      List<CallRecord> calls =
          journal.runs(EnumSet.allOf(RunState.class), 100).stream()
              .flatMap(run -> journal.callsOf(run.id(), 1_000).stream())
              .toList();
      assertThat(calls).hasSize(told.size()).allMatch(call -> call.ending() != null);
      assertThat(calls)
          .allSatisfy(
              call ->
                  assertThat(told.get(call.id()).path("result").path("isError").asBoolean())
                      .isEqualTo(!World.outcome(call).equals("ok")));
    }
  }

  private static McpClient client(GatewayProcess gateway) throws Exception {
    return McpClient.http(gateway.url())
        .revision(Revision.V2026_07_28)
        .capabilities(TASKS)
        .connect();
  }

  private static boolean isOver(McpClient client, String id) throws Exception {
    return OVER.contains(get(client, id).path("status").asText());
  }

  private static JsonNode get(McpClient client, String id) throws Exception {
    return client.request("tasks/get", "{\"taskId\":\"" + id + "\"}").path("result");
  }
}
