package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Permanent errors: asked once, told once, and the run goes on. */
class RefusalCasesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aRefusalIsFinalAtTheFirstAnswer(Way way) throws Exception {
    // Else the first 401 would keep the others from being sent.
    try (World world = World.of(folder, way, "record: full, circuit: off", "")) {
      McpClient client = world.client();
      for (String tool : List.of("status_400", "status_401", "status_403")) {
        assertRefused(world, tool, tool, client.call(tool, arguments(tool)));
      }
      for (int status : List.of(405, 409, 410, 422)) {
        String marker = "status-" + status;
        JsonNode answer =
            client.call(
                "inject_read",
                arguments(
                    marker,
                    "\"steps\": [{\"do\": \"status\", \"status\": "
                        + status
                        + ", \"body\": {\"error\": \"bad field\"}}]"));

        assertRefused(world, "inject_read", marker, answer);
        if (way == Way.HTTP) {
          assertThat(World.text(answer)).contains("" + status, "bad field");
        }
      }
      for (int code : List.of(-32602, -32601, -32600)) {
        String marker = "code" + code;
        JsonNode answer =
            client.call(
                "rpc_error",
                arguments(marker, "\"code\": " + code + ", \"message\": \"no such field\""));

        assertRefused(world, "rpc_error", marker, answer);
        assertThat(World.text(answer)).contains("no such field", "" + code);
      }
      assertTheRunGoesOn(world, client);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aRefusedWriteHasChangedNothing(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      JsonNode answer =
          world
              .client()
              .call(
                  "inject_write",
                  arguments("w", "\"steps\": [{\"do\": \"status\", \"status\": 422}]"));

      assertRefused(world, "inject_write", "w", answer);
      assertThat(World.text(answer)).contains("Nothing was changed");
      assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isTrue();
      assertThat(world.server().ledger().effects()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aLongMessageIsPassedOnShortened(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      String message = "\"message\": \"" + "no ".repeat(50_000) + "\"";
      JsonNode answer =
          world.client().call("rpc_error", arguments("long", "\"code\": -32602, " + message));

      assertRefused(world, "rpc_error", "long", answer);
      assertThat(World.text(answer)).hasSizeLessThan(1_000);
    }
  }

  @Test
  void anUnknownPathInASessionRenewsItOnceAndIsThenFinal() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "record: full", "")) {
      McpClient client = world.client();
      JsonNode answer = client.call("status_404", arguments("gone"));

      assertThat(World.outcome(answer)).isEqualTo("stopped/refused");
      assertThat(world.server().ledger().callsMarked("gone")).hasSizeBetween(1, 2);
      assertThat(world.server().ledger().events("initialize")).hasSizeLessThanOrEqualTo(2);
      assertThat(World.outcome(client.call("read_ok", arguments("next")))).isEqualTo("ok");
    }
  }

  @Test
  void anUnknownPathWithoutASessionIsFinal() throws Exception {
    Faults stateless = Faults.http(folder, "fault", "--stateless");
    try (World world = World.of(folder, List.of(stateless), "record: full", "")) {
      JsonNode answer = world.client().call("status_404", arguments("gone"));

      assertRefused(world, "status_404", "gone", answer);
    }
  }

  private static void assertRefused(World world, String tool, String marker, JsonNode answer)
      throws Exception {
    assertThat(World.outcome(answer)).as(marker).isEqualTo("stopped/refused");
    assertThat(World.facts(answer).path("attempts").asInt()).isEqualTo(1);
    assertThat(world.server().ledger().callsMarked(marker)).as(marker).hasSize(1);
    List<AttemptRecord> attempts = world.attempts(world.marked(tool, marker));
    assertThat(attempts).hasSize(1);
    assertThat(attempts.getFirst().end().failure().kind()).isEqualTo("refused");
    assertThat(World.outcome(world.marked(tool, marker))).isEqualTo("stopped/refused");
  }

  private static void assertTheRunGoesOn(World world, McpClient client) throws Exception {
    assertThat(World.outcome(client.call("read_ok", arguments("next")))).isEqualTo("ok");
    assertThat(World.outcome(client.call("write_ok", arguments("next-write")))).isEqualTo("ok");
    assertThat(world.server().ledger().effectsMarked("next-write")).hasSize(1);
    assertThat(world.server().ledger().events("initialize")).hasSize(1);
  }
}
