package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server gets so many calls at once; the others wait in line, within their own deadlines. */
class LineCasesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aServerGetsNoMoreAtOnceThanItMay(Way way) throws Exception {
    try (World world = World.of(folder, way, "at_once: 2", "")) {
      McpClient client = world.client();

      List<CompletableFuture<JsonNode>> calls =
          IntStream.range(0, 6).mapToObj(i -> slow(client, "c" + i, 300)).toList();

      calls.forEach(call -> assertThat(World.outcome(call.join())).isEqualTo("ok"));
      List<Long> begun =
          world.server().ledger().calls().stream().map(call -> call.millis()).sorted().toList();
      for (int i = 2; i < begun.size(); i++) {
        assertThat(begun.get(i) - begun.get(i - 2))
            .as("the third comes after the first has gone")
            .isGreaterThanOrEqualTo(299);
      }
      assertThat(world.recorded("read_slow", 6).stream().map(call -> held(world, call)).toList())
          .as("the wait is in the record")
          .anyMatch(held -> held.compareTo(Duration.ofMillis(550)) > 0);
    }
  }

  @Test
  void whoeverFindsTheLineFullIsTurnedAway() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "at_once: 1, queue: 1", "")) {
      McpClient client = world.client();
      CompletableFuture<JsonNode> inside = slow(client, "inside", 2_000);
      assertThat(Eventually.holds(() -> !world.server().ledger().callsMarked("inside").isEmpty()))
          .isTrue();
      CompletableFuture<JsonNode> inLine = slow(client, "in line", 10);
      assertThat(Eventually.holds(() -> waiting(client) == 1)).isTrue();

      JsonNode full = client.call("read_ok", arguments("full"));

      assertThat(World.outcome(full)).isEqualTo("stopped/rate_limited");
      assertThat(World.text(full)).contains("1 call at once", "1 waits", "safe to call it again");
      assertThat(world.server().ledger().callsMarked("full")).isEmpty();
      assertThat(World.outcome(inside.join())).isEqualTo("ok");
      assertThat(World.outcome(inLine.join())).isEqualTo("ok");
    }
  }

  @Test
  void aCallWhoseDeadlinePassesInLineIsNotSent() throws Exception {
    try (World world =
        World.of(
            folder,
            Way.HTTP,
            "at_once: 1, tools: {read_ok: {deadline: 500ms, call_deadline: 500ms}}",
            "")) {
      McpClient client = world.client();
      CompletableFuture<JsonNode> inside = slow(client, "inside", 2_000);
      assertThat(Eventually.holds(() -> !world.server().ledger().callsMarked("inside").isEmpty()))
          .isTrue();

      JsonNode late = client.call("read_ok", arguments("late"));

      assertThat(World.outcome(late)).isEqualTo("stopped/deadline_exceeded");
      assertThat(World.text(late)).contains("no place became free in time");
      assertThat(World.outcome(inside.join())).isEqualTo("ok");
      assertThat(world.server().ledger().callsMarked("late")).isEmpty();
    }
  }

  private static CompletableFuture<JsonNode> slow(McpClient client, String marker, int millis) {
    return client.callAsync("read_slow", arguments(marker, "\"ms\": " + millis));
  }

  private static int waiting(McpClient client) {
    return client
        .raw("GET", "/v1/circuits", new dev.callbound.testkit.wire.HttpHeaders(), new byte[0])
        .json()
        .path("servers")
        .path(0)
        .path("waiting")
        .asInt();
  }

  private static Duration held(World world, CallRecord call) {
    return world.attempt(call).held();
  }
}
