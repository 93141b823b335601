package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.Answer;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that asks while its call is pending: in each way, in each era, on both sides. */
class QuestionCasesTest {
  private static final String CAPABLE = "{\"elicitation\": {}, \"sampling\": {}, \"roots\": {}}";
  private static final List<Revision> ERAS = List.of(Revision.V2025_11_25, Revision.V2026_07_28);
  private static final List<String> ASKING =
      List.of("need_elicitation", "need_sampling", "need_roots");

  /** Far longer than any answer takes: only a question that nobody answers waits for it. */
  private static final String PATIENCE = "\"timeout_ms\": 20000";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"HTTP, 2025-11-25", "HTTP, 2026-07-28", "STDIO, 2025-11-25", "STDIO, 2026-07-28"})
  void aQuestionReachesTheClientAndItsAnswerTheServer(Way way, String spoken) throws Exception {
    try (World world = world(way, spoken, "")) {
      for (Revision revision : ERAS) {
        McpClient client = client(world, revision, QuestionCasesTest::answer);
        // Over one old stream, requests of a client without a session can't be told from others'.
        boolean alone = way == Way.STDIO && !spoken.startsWith("2026") && !revision.hasSessions();
        String neighbour = "beside-" + revision;
        var slow =
            client.callAsync(
                "read_slow", arguments(neighbour, "\"delay_ms\": " + (alone ? 0 : 300)));
        if (alone) {
          slow.join();
        }
        for (String tool : ASKING) {
          String marker = tool + "-" + revision;
          JsonNode answer = client.call(tool, arguments(marker, PATIENCE));

          assertThat(World.outcome(answer)).as(marker).isEqualTo("ok");
          assertThat(World.text(answer)).as(marker).contains("from the client");
          // A second round with the answers is no retry.
          assertThat(world.server().ledger().callsMarked(marker))
              .as(marker)
              .hasSize(spoken.startsWith("2026") ? 2 : 1);
          assertThat(world.attempts(world.marked(tool, marker))).as(marker).hasSize(1);
        }
        assertThat(World.outcome(slow.join())).isEqualTo("ok");
        assertThat(world.server().ledger().callsMarked(neighbour)).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP, 2025-11-25", "HTTP, 2026-07-28", "STDIO, 2025-11-25", "STDIO, 2026-07-28"})
  void aClientThatCannotBeAskedIsAnsweredForAtOnce(Way way, String spoken) throws Exception {
    try (World world = world(way, spoken, "")) {
      for (Revision revision : ERAS) {
        McpClient client = world.connect(McpClient.http(world.gateway().url()).revision(revision));
        for (String tool : ASKING) {
          String marker = tool + "-" + revision;
          JsonNode answer = client.call(tool, arguments(marker, PATIENCE));

          assertThat(World.outcome(answer)).as(marker).isEqualTo("ok");
          assertThat(World.text(answer))
              .as(marker)
              .contains(tool.equals("need_roots") ? "\"roots\":[]" : "did not declare");
        }
        assertThat(client.serverRequests()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aPingAndAClientWithoutWordsAboutItsRootsHoldUpNobody(Way way) throws Exception {
    try (World world = world(way, "2025-11-25", "")) {
      McpClient client =
          client(world, Revision.V2025_11_25, (method, params) -> new Answer.Silence());
      var slow = client.callAsync("read_slow", arguments("slow", "\"delay_ms\": 300"));
      var ping = client.callAsync("need_ping", arguments("ping", PATIENCE));
      var roots = client.callAsync("need_roots", arguments("roots", PATIENCE));

      assertThat(World.outcome(ping.join())).isEqualTo("ok");
      assertThat(World.text(roots.join())).contains("\"roots\":[]");
      assertThat(World.outcome(slow.join())).isEqualTo("ok");
      assertThat(world.server().ledger().events("answer")).hasSize(2);
    }
  }

  @Test
  void aQuestionThatMayBeForEitherOfTwoClientsIsPutToNeither() throws Exception {
    try (World world = world(Way.STDIO, "2025-11-25", "")) {
      McpClient asked = client(world, Revision.V2025_11_25, QuestionCasesTest::answer);
      McpClient other = client(world, Revision.V2025_11_25, QuestionCasesTest::answer);
      var slow = other.callAsync("read_slow", arguments("slow", "\"delay_ms\": 4000"));
      assertThat(Eventually.holds(() -> world.server().ledger().callsMarked("slow").size() == 1))
          .isTrue();
      JsonNode answer = asked.call("need_elicitation", arguments("whose", PATIENCE));

      assertThat(World.text(answer)).contains("does not say which of them it is for");
      assertThat(asked.serverRequests()).isEmpty();
      assertThat(other.serverRequests()).isEmpty();
      assertThat(World.outcome(slow.join())).isEqualTo("ok");
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP, 2025-11-25", "STDIO, 2026-07-28"})
  void aPersonsTimeIsNotTheToolsSilence(Way way, String spoken) throws Exception {
    try (World world = world(way, spoken, ", stall: 1s")) {
      var calls =
          ERAS.stream()
              .map(
                  revision -> {
                    try {
                      return client(world, revision, QuestionCasesTest::slowAnswer)
                          .callAsync("need_elicitation", arguments("p-" + revision, PATIENCE));
                    } catch (Exception e) {
                      throw new AssertionError(e);
                    }
                  })
              .toList();

      for (var call : calls) {
        assertThat(World.outcome(call.join())).isEqualTo("ok");
      }
      for (Revision revision : ERAS) {
        assertThat(world.attempts(world.marked("need_elicitation", "p-" + revision))).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aPersonsTimeIsBoundedByTheRun(Way way) throws Exception {
    try (World world = world(way, "2025-11-25", "", "run: {deadline: 6s}")) {
      McpClient client =
          client(world, Revision.V2025_11_25, (method, params) -> new Answer.Silence());
      long begun = System.nanoTime();
      JsonNode answer = client.call("need_elicitation", arguments("p", PATIENCE));

      assertThat(World.outcome(answer)).startsWith("stopped/");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
      assertThat(world.server().ledger().callsMarked("p")).hasSize(1);
    }
  }

  private World world(Way way, String spoken, String more) throws Exception {
    return world(way, spoken, more, "");
  }

  private World world(Way way, String spoken, String more, String top) throws Exception {
    return World.of(folder, way, "record: full, protocol: \"" + spoken + "\"" + more, top);
  }

  private static McpClient client(World world, Revision revision, Answer.Source answers)
      throws Exception {
    return world.connect(
        McpClient.http(world.gateway().url())
            .revision(revision)
            .capabilities(CAPABLE)
            .onRequest(answers));
  }

  private static Answer slowAnswer(String method, JsonNode params) throws InterruptedException {
    TimeUnit.SECONDS.sleep(5);
    return answer(method, params);
  }

  private static Answer answer(String method, JsonNode params) {
    return switch (method) {
      case "elicitation/create" ->
          Answer.result("{\"action\": \"accept\", \"content\": {\"ok\": \"from the client\"}}");
      case "sampling/createMessage" ->
          Answer.result(
              "{\"role\": \"assistant\", \"model\": \"m\","
                  + " \"content\": {\"type\": \"text\", \"text\": \"from the client\"}}");
      case "roots/list" ->
          Answer.result("{\"roots\": [{\"uri\": \"file:///x\", \"name\": \"from the client\"}]}");
      default -> new Answer.Standard();
    };
  }
}
