package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wait that a provider named to one call is kept by the others. */
class HoldCasesTest {
  private static final String LIMITED = "\"retry_after\": 2, \"times\": 1";
  private static final String FREE = "\"times\": 0";

  @TempDir Path folder;

  @Test
  void othersWaitAsLongAsOneWasToldTo() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "record: full", "")) {
      McpClient first = world.client();
      McpClient second = world.client();
      CompletableFuture<JsonNode> told = first.callAsync("status_429", arguments("told", LIMITED));
      assertThat(Eventually.holds(() -> world.waits("status_429"))).isTrue();

      JsonNode held = second.call("status_429", arguments("held", FREE));

      assertThat(World.outcome(held)).isEqualTo("ok");
      assertThat(World.outcome(told.join())).isEqualTo("ok");
      long begun = world.server().ledger().callsMarked("told").getFirst().millis();
      assertThat(world.server().ledger().callsMarked("held").getFirst().millis() - begun)
          .isGreaterThanOrEqualTo(1_999);
      assertThat(world.attempt(world.marked("status_429", "held")).held())
          .isGreaterThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void aWaitThatDoesNotFitIsNotBegunByOthersEither() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "record: full", "run: {deadline: 30s}")) {
      McpClient client = world.client();
      String hour = "\"retry_after\": 3600, \"times\": -1";
      assertThat(World.outcome(client.call("status_429", arguments("hour", hour))))
          .isEqualTo("stopped/rate_limited");

      JsonNode other = client.call("status_429", arguments("other", FREE));

      assertThat(World.outcome(other)).isEqualTo("stopped/rate_limited");
      assertThat(World.facts(other).path("attempts").asInt()).isZero();
      assertThat(World.facts(other).path("retry_after_ms").asLong())
          .isBetween(3_500_000L, 3_600_000L);
      assertThat(World.text(other)).contains("asked for a wait", "not begun");
      assertThat(world.server().ledger().callsMarked("other")).isEmpty();
      assertThat(World.outcome(client.call("read_ok", arguments("neighbour")))).isEqualTo("ok");
    }
  }
}
