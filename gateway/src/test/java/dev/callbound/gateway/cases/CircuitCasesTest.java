package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Entrance;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.RawResponse;
import dev.callbound.testkit.wire.HttpHeaders;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dependency that stays down is left alone, and tried again by one call at a time. */
class CircuitCasesTest {
  private static final String QUICK =
      "attempts: 1, record: full, circuit: {failures: 3, cool_down: 1s}";
  private static final String LONG =
      "attempts: 1, record: full, circuit: {failures: 3, cool_down: 10m}";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aToolThatFailsAgainAndAgainIsLeftAloneAndItsNeighboursAreNot(Way way) throws Exception {
    try (World world = World.of(folder, way, LONG, "")) {
      McpClient client = world.client();
      open(world, client);

      JsonNode refused = client.call("status_500", arguments("refused", "\"times\": -1"));

      assertThat(World.outcome(refused)).isEqualTo("stopped/circuit_open");
      assertThat(World.text(refused)).contains("was not called", "3 failures", "after");
      assertThat(World.facts(refused).path("attempts").asInt()).isZero();
      assertThat(World.facts(refused).path("retry_after_ms").asLong())
          .isBetween(400_000L, 600_000L);
      assertThat(World.facts(refused).path("safe_to_repeat").asBoolean()).isTrue();
      assertThat(world.server().ledger().callsMarked("refused")).isEmpty();
      CallRecord record = world.marked("status_500", "refused");
      assertThat(World.outcome(record)).isEqualTo("stopped/circuit_open");
      assertThat(record.ending().detail()).contains("its circuit is open");
      assertThat(world.attempts(record)).isEmpty();
      assertThat(World.outcome(client.call("read_ok", arguments("neighbour")))).isEqualTo("ok");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void oneCallFindsOutThatItWorksAgain(Way way) throws Exception {
    try (World world = World.of(folder, way, QUICK, "")) {
      McpClient client = world.client();
      open(world, client);

      assertThat(
              Eventually.holds(
                  () ->
                      World.outcome(client.call("status_500", arguments("again", "\"times\": 0")))
                          .equals("ok")))
          .isTrue();

      assertThat(world.server().ledger().callsMarked("again")).hasSize(1);
      assertThat(
              Eventually.holds(
                  () ->
                      world.gateway().journal().circuits().stream()
                          .allMatch(it -> it.state() == Circuit.State.CLOSED)))
          .isTrue();
    }
  }

  @Test
  void aCircuitOfTheServerKeepsAllItsToolsAlone() throws Exception {
    try (World world =
        World.of(
            folder,
            Way.HTTP,
            "attempts: 1, circuit: {per: server, failures: 3, cool_down: 10m}",
            "")) {
      McpClient client = world.client();
      open(world, client);

      assertThat(World.outcome(client.call("read_ok", arguments("neighbour"))))
          .isEqualTo("stopped/circuit_open");
      assertThat(client.request("tools/list", "{}").path("result").path("tools")).isNotEmpty();
    }
  }

  @Test
  void refusalsAndToolErrorsNeverOpenIt() throws Exception {
    try (World world = World.of(folder, Way.HTTP, LONG, "")) {
      McpClient client = world.client();
      for (int i = 0; i < 10; i++) {
        assertThat(World.outcome(client.call("status_403", arguments("no"))))
            .isEqualTo("stopped/refused");
        assertThat(
                World.outcome(
                    client.call("is_error_text", arguments("own", "\"text\": \"no such page\""))))
            .isEqualTo("stopped/tool_error");
      }

      assertThat(world.gateway().journal().circuits()).isEmpty();
    }
  }

  @Test
  void switchedOffItKeepsNobodyOut() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "attempts: 1, circuit: off", "")) {
      McpClient client = world.client();
      for (int i = 0; i < 10; i++) {
        assertThat(World.outcome(client.call("status_500", arguments("down", "\"times\": -1"))))
            .isEqualTo("stopped/retries_exhausted");
      }
    }
  }

  @Test
  void whatIsInTheWayIsShownAndSurvivesARestart() throws Exception {
    try (World world = World.of(folder, Way.HTTP, LONG, "")) {
      McpClient client = world.client();
      open(world, client);
      assertShown(world, client);

      world.restart();

      McpClient again = world.client();
      assertShown(world, again);
      assertThat(World.outcome(again.call("status_500", arguments("later", "\"times\": 0"))))
          .isEqualTo("stopped/circuit_open");
      assertThat(world.server().ledger().callsMarked("later")).isEmpty();
    }
  }

  @Test
  void aResetBesideTheGatewayIsHeededWithinSeconds() throws Exception {
    try (World world = World.of(folder, Way.HTTP, LONG, "")) {
      McpClient client = world.client();
      open(world, client);

      List<CircuitRecord> shut =
          SqliteJournal.resetCircuitsBeside(
              folder.resolve("callbound.db"), "fault", "status_500", "ann", Instant.now());

      assertThat(shut).extracting(CircuitRecord::tool).containsExactly("status_500");
      assertThat(
              Eventually.holds(
                  () ->
                      World.outcome(client.call("status_500", arguments("reset", "\"times\": 0")))
                          .equals("ok")))
          .isTrue();
    }
  }

  @Test
  void aServerThatDoesNotStartOpensItsCircuit() throws Exception {
    Faults broken = Faults.script(folder, "fault", "exit 3\n");
    try (World world =
        World.of(
            folder,
            List.of(broken),
            "start_timeout: 2s, attempts: 1, circuit: {failures: 3, cool_down: 10m}",
            "")) {
      McpClient client = world.client();
      for (int i = 0; i < 3; i++) {
        assertThat(World.outcome(client.call("read_ok", arguments("start"))))
            .isEqualTo("stopped/retries_exhausted");
      }

      JsonNode refused = client.call("read_ok", arguments("start"));

      assertThat(World.outcome(refused)).isEqualTo("stopped/circuit_open");
      assertThat(World.text(refused)).contains("not_sent");
    }
  }

  /** Fails as often as it takes. */
  private static void open(World world, McpClient client) throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(World.outcome(client.call("status_500", arguments("down", "\"times\": -1"))))
          .isEqualTo("stopped/retries_exhausted");
    }
    assertThat(
            Eventually.holds(
                () ->
                    world.gateway().journal().circuits().stream()
                        .anyMatch(CircuitCasesTest::isOpen)))
        .isTrue();
  }

  private static boolean isOpen(CircuitRecord circuit) {
    return circuit.state() == Circuit.State.OPEN && circuit.bar() == Entrance.Bar.FAILURES;
  }

  private static void assertShown(World world, McpClient client) {
    RawResponse response = client.raw("GET", "/v1/circuits", new HttpHeaders(), new byte[0]);
    assertThat(response.status()).as(response::text).isEqualTo(200);
    JsonNode circuit = response.json().path("circuits").path(0);
    assertThat(circuit.path("server").asText()).isEqualTo("fault");
    assertThat(circuit.path("tool").asText()).isEqualTo("status_500");
    assertThat(circuit.path("bar").asText()).isEqualTo("failures");
    assertThat(circuit.path("state").asText()).isEqualTo("open");
    assertThat(circuit.path("failure").asText()).isEqualTo("server_error");
    assertThat(Instant.parse(circuit.path("until").asText())).isAfter(Instant.now());
    assertThat(world.gateway().journal().circuits()).anyMatch(CircuitCasesTest::isOpen);
  }
}
