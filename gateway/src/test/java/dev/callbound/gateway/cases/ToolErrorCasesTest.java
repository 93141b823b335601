package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failures that arrive as a success with a sentence in it. */
class ToolErrorCasesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aReadWhoseTextWrapsALimitIsTriedAgainAfterTheWaitInIt(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      JsonNode answer = world.client().call("is_error_text_429", arguments("m", "\"times\": 1"));

      assertThat(World.outcome(answer)).isEqualTo("ok");
      assertThat(world.server().ledger().callsMarked("m")).hasSize(2);
      AttemptEnd first = world.attempts(world.marked("is_error_text_429", "m")).getFirst().end();
      assertThat(first.failure().kind()).isEqualTo("tool_error");
      assertThat(first.failure().detail()).contains("429");
      assertThat(first.decision().pause()).isEqualTo(Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aReadWhoseTextWrapsAServerErrorIsTriedWithinItsAttempts(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      McpClient client = world.client();
      JsonNode once = client.call("is_error_text_500", arguments("once", "\"times\": 1"));
      JsonNode always = client.call("is_error_text_500", arguments("always", "\"times\": -1"));

      assertThat(World.outcome(once)).isEqualTo("ok");
      assertThat(world.server().ledger().callsMarked("once")).hasSize(2);
      assertPassedOn(always, "HTTP 500");
      assertThat(world.server().ledger().callsMarked("always")).hasSize(3);
      assertThat(World.outcome(world.marked("is_error_text_500", "always")))
          .isEqualTo("stopped/retries_exhausted");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void whatATextRefusesIsNotTriedAgain(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      McpClient client = world.client();
      JsonNode unauthorized = client.call("is_error_text_401", arguments("token"));
      JsonNode plain =
          client.call("is_error_text", arguments("plain", "\"text\": \"no such page\""));
      JsonNode numbers =
          client.call(
              "is_error_text",
              arguments("numbers", "\"text\": \"429 of 500 rows failed, see line 503\""));

      assertPassedOn(unauthorized, "HTTP 401");
      assertOnce(world, "is_error_text_401", "token", "stopped/refused");
      assertPassedOn(plain, "no such page");
      assertOnce(world, "is_error_text", "plain", "stopped/tool_error");
      assertPassedOn(numbers, "429 of 500 rows failed, see line 503");
      assertOnce(world, "is_error_text", "numbers", "stopped/tool_error");
      assertThat(World.outcome(client.call("read_ok", arguments("next")))).isEqualTo("ok");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aWriteIsNeverRepeatedOnAText(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      McpClient client = world.client();
      String tool = "write_then_is_error";
      JsonNode plain = client.call(tool, arguments("plain"));
      JsonNode limit = client.call(tool, arguments("limit", said("HTTP 429: Too Many Requests")));
      JsonNode error = client.call(tool, arguments("error", said("HTTP 500: oops")));

      assertPassedOn(plain, "request failed: upstream timed out");
      assertOnce(world, tool, "plain", "stopped/tool_error");
      assertPassedOn(limit, "HTTP 429");
      assertOnce(world, tool, "limit", "stopped/rate_limited");
      assertThat(World.outcome(error)).isEqualTo("unknown/server_error");
      assertThat(World.facts(error).path("safe_to_repeat").asBoolean()).isFalse();
      assertOnce(world, tool, "error", "unknown/server_error");
      assertThat(world.server().ledger().effects()).hasSize(3);
    }
  }

  private static String said(String text) {
    return "\"text\": \"API request failed (" + text + ")\"";
  }

  /** The tool's own words reach the client as they are, and as a failure. */
  private static void assertPassedOn(JsonNode answer, String text) {
    assertThat(World.outcome(answer)).isEqualTo("stopped/tool_error");
    assertThat(World.text(answer)).contains(text);
  }

  private static void assertOnce(World world, String tool, String marker, String outcome)
      throws Exception {
    assertThat(world.server().ledger().callsMarked(marker)).as(marker).hasSize(1);
    CallRecord call = world.marked(tool, marker);
    assertThat(World.outcome(call)).as(marker).isEqualTo(outcome);
    assertThat(world.attempts(call)).hasSize(1);
    assertThat(world.attempts(call).getFirst().end().failure().kind()).isEqualTo("tool_error");
  }
}
