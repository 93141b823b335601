package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools of a server that is down are still listed, as they were, and marked. */
class StaleListCasesTest {
  private static final String MARK = "dev.callbound/stale";

  @TempDir Path folder;

  @Test
  void theToolsOfAServerThatIsDownAreListedAsTheyWere() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "attempts: 1", "")) {
      McpClient client = world.client();
      JsonNode whole = client.request("tools/list", "{}").path("result");
      assertThat(whole.path("_meta").has(MARK)).isFalse();
      Instant listed = Instant.now();
      world.server().close();

      assertStale(client.request("tools/list", "{}").path("result"), whole, listed);
      assertTheTrueFailure(client);

      world.restart();
      McpClient again = world.client(Revision.V2026_07_28);
      assertStale(again.request("tools/list", "{}").path("result"), whole, listed);
      assertTheTrueFailure(again);
    }
  }

  private static void assertStale(JsonNode stale, JsonNode whole, Instant listed) {
    assertThat(stale.path("tools")).hasSameSizeAs(whole.path("tools"));
    Instant since = Instant.parse(stale.path("_meta").path(MARK).path("fault").asText());
    assertThat(Duration.between(since, listed)).isLessThan(Duration.ofMinutes(1));
    for (JsonNode tool : stale.path("tools")) {
      if (tool.path("name").asText().startsWith("callbound_")) {
        continue;
      }
      assertThat(Instant.parse(tool.path("_meta").path(MARK).asText())).isEqualTo(since);
    }
  }

  private static void assertTheTrueFailure(McpClient client) throws Exception {
    JsonNode failed = client.call("read_ok", arguments("down"));
    assertThat(World.outcome(failed)).isEqualTo("stopped/retries_exhausted");
    assertThat(World.text(failed)).containsIgnoringCase("refused");
  }
}
