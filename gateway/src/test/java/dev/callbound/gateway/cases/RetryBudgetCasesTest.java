package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A loop in which every request looks reasonable, and the sum does not. */
class RetryBudgetCasesTest {
  private static final String QUICK = "backoff: {base: 1ms, cap: 2ms}\n";
  private static final String BROKEN = arguments("broken", "\"times\": -1");

  /** Without a circuit, which would stop it sooner. */
  private static final String SERVER = "record: full, circuit: off";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aNamedRunStopsByItselfAcrossReconnectAndRestart(Way way) throws Exception {
    try (World world = World.of(folder, way, SERVER, QUICK + "run: {retries: 70}")) {
      McpClient first = night(world);
      for (int call = 0; call < 20; call++) {
        assertThat(World.outcome(first.call("status_500", BROKEN)))
            .isEqualTo("stopped/retries_exhausted");
      }
      first.close();
      McpClient second = night(world);
      for (int call = 20; call < 30; call++) {
        assertThat(World.outcome(second.call("status_500", BROKEN)))
            .isEqualTo("stopped/retries_exhausted");
      }
      second.close();
      world.restart();
      McpClient third = night(world);
      int refused = 0;
      JsonNode last = null;
      for (int call = 30; call < 100; call++) {
        last = third.call("status_500", BROKEN);
        refused += World.outcome(last).equals("stopped/retry_budget_spent") ? 1 : 0;
      }

      // 70 retries are two for each of 35 calls.
      assertThat(refused).isEqualTo(65);
      assertThat(world.server().ledger().callsMarked("broken")).hasSize(3 * 35);
      assertThat(World.facts(last).path("attempts").asInt()).isZero();
      assertThat(World.text(last)).contains("all of its retries", "Do not call it again");
      CallRecord recorded = world.recorded("status_500");
      assertThat(World.outcome(recorded)).isEqualTo("stopped/retry_budget_spent");
      assertThat(recorded.ending().detail()).contains("70 retries");
      assertThat(world.attempts(recorded)).isEmpty();
      RunRecord run = world.gateway().journal().runNamed("local", "night").orElseThrow();
      assertThat(run.retriesUsed()).isEqualTo(70);
      assertThat(run.retryLimit()).isEqualTo(70);
    }
  }

  @Test
  void theLastRetryIsSharedByCallsAtTheSameTime() throws Exception {
    try (World world = World.of(folder, Way.HTTP, SERVER, QUICK + "run: {retries: 7}")) {
      McpClient client = night(world);
      var calls =
          java.util.stream.IntStream.range(0, 30)
              .mapToObj(_ -> client.callAsync("status_500", BROKEN))
              .toList();
      calls.forEach(call -> assertThat(World.outcome(call.join())).startsWith("stopped/"));

      long admitted =
          calls.stream()
              .filter(call -> World.facts(call.join()).path("attempts").asInt() > 0)
              .count();
      assertThat(world.server().ledger().callsMarked("broken")).hasSize((int) admitted + 7);
      int calledBefore = world.server().ledger().calls().size();
      assertThat(World.outcome(client.call("read_ok", arguments("next"))))
          .isEqualTo("stopped/retry_budget_spent");
      assertThat(world.server().ledger().calls()).hasSize(calledBefore);
    }
  }

  @Test
  void aRunWithoutRetriesMakesEachCallOnce() throws Exception {
    try (World world = World.of(folder, Way.HTTP, SERVER, QUICK + "run: {retries: 0}")) {
      McpClient client = world.client();
      JsonNode failed = client.call("status_500", BROKEN);

      assertThat(World.outcome(failed)).isEqualTo("stopped/retry_budget_spent");
      assertThat(World.facts(failed).path("attempts").asInt()).isEqualTo(1);
      assertThat(World.outcome(client.call("read_ok", arguments("next")))).isEqualTo("ok");
    }
  }

  @Test
  void whatIsInDoubtStaysSoWhenTheRetriesAreGone() throws Exception {
    try (World world =
        World.of(
            folder,
            Way.HTTP,
            "circuit: off, tools: {write_with_key: {recognise: {key: {argument: idempotency_key}}}}",
            QUICK + "run: {retries: 1}")) {
      McpClient client = night(world);
      String resets = arguments("doubt", "\"then\": \"reset\", \"times\": 9");

      assertThat(World.outcome(client.call("write_with_key", resets)))
          .isEqualTo("unknown/connection_lost");
      assertThat(World.outcome(client.call("write_with_key", resets)))
          .isEqualTo("unknown/connection_lost");
      assertThat(world.server().ledger().callsMarked("doubt")).hasSize(2);
    }
  }

  private static McpClient night(World world) throws Exception {
    return world.connect(McpClient.http(world.gateway().url()).header("Callbound-Run", "night"));
  }
}
