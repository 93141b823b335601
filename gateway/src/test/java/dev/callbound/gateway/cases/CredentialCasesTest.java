package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An expired token is found out about once, and not asked for again for hours. */
class CredentialCasesTest {
  private static final int CALLS = 50;

  @TempDir Path folder;

  @Test
  void aServerThatRefusesOurCredentialsIsLeftAloneListsIncluded() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "circuit: {cool_down: 10m}", "")) {
      McpClient client = world.client();
      world.server().control("{\"token\": \"new\"}");

      JsonNode first = client.call("read_ok", arguments("first"));
      assertThat(World.outcome(first)).isEqualTo("stopped/refused");
      assertThat(World.text(first)).contains("401", "credentials are renewed");
      for (int i = 0; i < CALLS; i++) {
        JsonNode refused = client.call("read_ok", arguments("later"));
        assertThat(World.outcome(refused)).isEqualTo("stopped/refused");
        assertThat(World.text(refused)).contains("refuses the gateway's credentials", "next try");
        assertThat(World.facts(refused).path("attempts").asInt()).isZero();
        assertThat(World.facts(refused).path("retry_after_ms").asLong()).isPositive();
        client.request("tools/list", "{}");
      }

      assertThat(unauthorized(world)).isBetween(1L, 2L);
    }
  }

  @Test
  void oneCallFindsOutThatTheyAreRenewed() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "circuit: {cool_down: 1s}", "")) {
      McpClient client = world.client();
      world.server().control("{\"token\": \"new\"}");
      assertThat(World.outcome(client.call("read_ok", arguments("first"))))
          .isEqualTo("stopped/refused");

      world.server().control("{\"token\": null}");

      assertThat(
              Eventually.holds(
                  () -> World.outcome(client.call("read_ok", arguments("again"))).equals("ok")))
          .isTrue();
      assertThat(World.outcome(client.call("read_ok", arguments("more")))).isEqualTo("ok");
    }
  }

  private static long unauthorized(World world) {
    return world.server().ledger().events().stream()
        .map(LedgerReport.Event::kind)
        .filter("unauthorized"::equals)
        .count();
  }
}
