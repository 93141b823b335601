package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.policy.Decision;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A box in the middle gives up and answers with an error, while the server does the work. */
class ServerErrorCasesTest {
  private static final List<Integer> STATUSES = List.of(500, 502, 503, 504);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aWriteAnsweredWithAServerErrorIsUnknownAndNotRepeated(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      McpClient client = world.client();
      for (int status : STATUSES) {
        String marker = "write-" + status;
        JsonNode answer =
            client.call("write_then_status", arguments(marker, "\"status\": " + status));

        assertNotRepeated(world, "write_then_status", marker, answer);
        assertThat(failureOf(world, "write_then_status", marker)).contains("status " + status);
      }
      for (int code : List.of(-32603, -32000)) {
        String marker = "write" + code;
        JsonNode answer =
            client.call(
                "inject_write",
                arguments(
                    marker,
                    "\"steps\": [{\"do\": \"effect\"}, {\"do\": \"rpc_error\", \"code\": "
                        + code
                        + "}]"));

        assertNotRepeated(world, "inject_write", marker, answer);
        assertThat(failureOf(world, "inject_write", marker)).contains("error " + code);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aReadAnsweredWithAServerErrorIsTriedAgain(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      McpClient client = world.client();
      for (int status : STATUSES) {
        String tool = "status_" + status;
        JsonNode answer = client.call(tool, arguments(tool));

        assertThat(World.outcome(answer)).isEqualTo("ok");
        assertThat(world.server().ledger().callsMarked(tool)).hasSize(2);
        List<AttemptRecord> attempts = world.attempts(world.marked(tool, tool));
        assertThat(attempts).hasSize(2);
        assertThat(attempts.getFirst().end().failure().kind()).isEqualTo("server_error");
        assertThat(attempts.getFirst().end().decision().action()).isEqualTo(Decision.Action.RETRY);
        assertThat(attempts.getFirst().end().decision().why()).contains("a read may be repeated");
        assertThat(attempts.getLast().end().failure()).isNull();
      }
    }
  }

  @Test
  void aWebPageInPlaceOfAnAnswerIsOneShortLine() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "record: full, attempts: 1", "")) {
      McpClient client = world.client();
      String page =
          "<html><head><title>524: A timeout occurred</title></head><body>"
              + "<p>no</p>".repeat(20_000)
              + "</body></html>";
      JsonNode write =
          client.call(
              "inject_write",
              arguments(
                  "page",
                  "\"steps\": [{\"do\": \"effect\"}, {\"do\": \"status\", \"status\": 524,"
                      + " \"type\": \"text/html\", \"body\": \""
                      + page
                      + "\"}]"));
      JsonNode read = client.call("status_524", arguments("read"));

      assertNotRepeated(world, "inject_write", "page", write);
      assertThat(World.outcome(read)).isEqualTo("stopped/retries_exhausted");
      for (JsonNode answer : List.of(write, read)) {
        assertThat(World.text(answer)).contains("524").doesNotContain("<").hasSizeLessThan(800);
      }
      assertThat(failureOf(world, "inject_write", "page")).hasSizeLessThan(400);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aStatusThatTheOperatorCallsARefusalLeavesNoDoubt(Way way) throws Exception {
    String refusal = "\"steps\": [{\"do\": \"status\", \"status\": 503}]";
    String server = way == Way.HTTP ? "record: full, refused_statuses: [503]" : "record: full";
    try (World world = World.of(folder, way, server, "")) {
      JsonNode answer = world.client().call("inject_write", arguments("busy", refusal));

      assertThat(World.outcome(answer))
          .isEqualTo(way == Way.HTTP ? "stopped/refused" : "unknown/server_error");
      assertThat(world.server().ledger().effectsMarked("busy")).isEmpty();
      assertThat(world.server().ledger().callsMarked("busy")).hasSize(1);
      assertThat(World.outcome(world.marked("inject_write", "busy")))
          .isEqualTo(World.outcome(answer));
    }
  }

  private static void assertNotRepeated(World world, String tool, String marker, JsonNode answer)
      throws Exception {
    assertThat(World.outcome(answer)).as(marker).isEqualTo("unknown/server_error");
    assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isFalse();
    assertThat(World.facts(answer).path("attempts").asInt()).isEqualTo(1);
    assertThat(World.text(answer))
        .contains("Do not call it again", World.facts(answer).path("call").asText());
    assertThat(world.server().ledger().effectsMarked(marker)).hasSize(1);
    assertThat(world.server().ledger().callsMarked(marker)).hasSize(1);
    CallRecord call = world.marked(tool, marker);
    assertThat(World.outcome(call)).isEqualTo("unknown/server_error");
    assertThat(world.attempts(call)).hasSize(1);
    assertThat(world.attempts(call).getFirst().end().decision().why())
        .contains("without key or check");
  }

  private static String failureOf(World world, String tool, String marker) throws Exception {
    return world.attempts(world.marked(tool, marker)).getLast().end().failure().detail();
  }
}
