package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Money;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.RawResponse;
import dev.callbound.testkit.wire.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each request is cheap, and the sum is not: a run stops when its money is gone. */
class SpendCasesTest {
  private static final String QUICK = "backoff: {base: 1ms, cap: 2ms}\n";
  private static final String BROKEN = arguments("broken", "\"times\": -1");
  private static final Money CENT = Money.parse("0.01");

  /** Without a circuit, which would stop it sooner. */
  private static final String SERVER = "price: 0.01, circuit: off";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aRunSpendsNoMoreThanItMayAcrossReconnectAndRestart(Way way) throws Exception {
    try (World world = World.of(folder, way, SERVER, QUICK + "run: {retries: 1000, spend: 0.20}")) {
      McpClient first = night(world);
      for (int call = 0; call < 3; call++) {
        assertThat(World.outcome(first.call("status_500", BROKEN)))
            .isEqualTo("stopped/retries_exhausted");
      }
      first.close();
      McpClient second = night(world);
      for (int call = 3; call < 6; call++) {
        assertThat(World.outcome(second.call("status_500", BROKEN)))
            .isEqualTo("stopped/retries_exhausted");
      }
      second.close();
      world.restart();
      McpClient third = night(world);
      JsonNode cut = third.call("status_500", BROKEN);
      JsonNode last = cut;
      for (int call = 7; call < 100; call++) {
        last = third.call("status_500", BROKEN);
        assertThat(World.outcome(last)).isEqualTo("stopped/spend_exhausted");
      }

      // Six calls of three attempts each, and two more that the money was enough for.
      assertThat(world.server().ledger().callsMarked("broken")).hasSize(20);
      assertThat(World.outcome(cut)).isEqualTo("stopped/spend_exhausted");
      assertThat(World.facts(cut).path("attempts").asInt()).isEqualTo(2);
      assertThat(World.facts(last).path("attempts").asInt()).isZero();
      assertThat(World.text(last))
          .contains("was not called", "spent 0.20 of the 0.20", "Do not call it again");
      RunRecord run = world.gateway().journal().runNamed("local", "night").orElseThrow();
      assertThat(run.spent()).isEqualTo(Money.parse("0.20"));
      assertThat(run.spendLimit()).isEqualTo(Money.parse("0.20"));
      CallRecord recorded = world.recorded("status_500");
      assertThat(World.outcome(recorded)).isEqualTo("stopped/spend_exhausted");
      assertThat(world.attempts(recorded)).isEmpty();
    }
  }

  @Test
  void callsAtTheSameTimeShareWhatThereIs() throws Exception {
    try (World world =
        World.of(folder, Way.HTTP, SERVER, QUICK + "run: {retries: 1000, spend: 0.07}")) {
      McpClient client = night(world);
      var calls =
          IntStream.range(0, 30).mapToObj(_ -> client.callAsync("status_500", BROKEN)).toList();
      calls.forEach(call -> assertThat(World.outcome(call.join())).startsWith("stopped/"));

      assertThat(world.server().ledger().callsMarked("broken")).hasSize(7);
    }
  }

  /** What costs nothing goes on: the agent can still say what it has not done. */
  @Test
  void aToolThatCostsNothingIsCalledWhenTheMoneyIsGone() throws Exception {
    try (World world =
        World.of(
            folder,
            Way.HTTP,
            "price: 0.01, tools: {read_ok: {price: 0}}",
            QUICK + "run: {spend: 0.01}")) {
      McpClient client = night(world);

      assertThat(World.outcome(client.call("write_ok", arguments("first")))).isEqualTo("ok");
      assertThat(World.outcome(client.call("write_ok", arguments("second"))))
          .isEqualTo("stopped/spend_exhausted");
      assertThat(World.outcome(client.call("read_ok", arguments("third")))).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("second")).isEmpty();
    }
  }

  @Test
  void aWriteInDoubtThatCanNotBePaidForAgainIsUnknown() throws Exception {
    try (World world =
        World.of(
            folder,
            Way.HTTP,
            "price: 0.01, tools: {write_with_key: {recognise: {key: {argument: idempotency_key}}}}",
            QUICK + "run: {spend: 0.01}")) {
      McpClient client = night(world);
      JsonNode answer =
          client.call("write_with_key", arguments("dear", "\"then\": \"reset\", \"times\": 5"));

      assertThat(World.outcome(answer)).isEqualTo("unknown/connection_lost");
      // Nobody may be told that it was not called: it may have been, and is there.
      JsonNode again =
          client.call("write_with_key", arguments("dear", "\"then\": \"reset\", \"times\": 5"));
      assertThat(World.outcome(again)).isEqualTo("unknown/connection_lost");
      assertThat(world.server().ledger().callsMarked("dear")).hasSize(1);
      assertThat(world.server().ledger().effectsMarked("dear")).hasSize(1);
    }
  }

  @Test
  void aProgramWishesForLessAndSeesWhatIsSpent() throws Exception {
    try (World world = World.of(folder, Way.HTTP, SERVER, QUICK + "run: {spend: 1}")) {
      McpClient client = world.client();
      JsonNode opened = world.openRun(client, "{\"spend\": \"0.05\"}");
      assertThat(opened.path("spend_limit").decimalValue()).isEqualByComparingTo("0.05");
      String run = opened.path("id").asText();
      McpClient inside =
          world.connect(McpClient.http(world.gateway().url()).header("Callbound-Run", run));
      inside.call("write_ok", arguments("one"));

      assertThat(get(client, "/v1/runs/" + run).path("spent").decimalValue())
          .isEqualByComparingTo("0.01");
      RawResponse refused = post(client, "{\"spend\": 1.5}");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text()).contains("spend_too_high", "run.spend");
      for (String wrong : new String[] {"-1", "\"a lot\"", "1e3", "0.0000001", "true", "null"}) {
        RawResponse invalid = post(client, "{\"spend\": " + wrong + "}");
        assertThat(invalid.status()).as(wrong).isEqualTo(400);
        assertThat(invalid.text()).contains("spend must be an amount such as 0.25");
      }
    }
  }

  /** Money burns, and somebody says that it must not: that holds for the runs that go on. */
  @Test
  void aLimitThatIsSetLaterHoldsForTheRunsThatGoOn() throws Exception {
    try (World world = World.of(folder, Way.HTTP, SERVER, QUICK)) {
      night(world).call("write_ok", arguments("one"));
      night(world).call("write_ok", arguments("two"));
      world.restart(SERVER, QUICK + "run: {spend: 0.01}");

      JsonNode refused = night(world).call("write_ok", arguments("three"));
      assertThat(World.outcome(refused)).isEqualTo("stopped/spend_exhausted");
      assertThat(World.text(refused)).contains("has spent 0.02 of the 0.01");
      assertThat(world.server().ledger().effectsMarked("three")).isEmpty();
    }
  }

  /** A read is usually recorded beside its call; what it costs is on disk before it is sent. */
  @Test
  void whatWasPaidIsRememberedAfterAKill() throws Exception {
    try (Faults faults = Faults.http(folder, "fault")) {
      Path config =
          World.file(folder, List.of(faults), "price: 0.01, deadline: 30s", "run: {spend: 0.01}");
      try (GatewayProcess first = GatewayProcess.serve(folder, config)) {
        McpClient client = night(first);
        client.begin(McpRequest.call("read_hang", arguments("paid")));
        assertThat(Eventually.holds(() -> faults.ledger().callsMarked("paid").size() == 1))
            .isTrue();
        first.kill();
      }
      try (GatewayProcess second = GatewayProcess.serve(folder, config)) {
        JsonNode after = night(second).call("read_ok", arguments("more"));

        assertThat(World.outcome(after)).isEqualTo("stopped/spend_exhausted");
        assertThat(faults.ledger().callsMarked("more")).isEmpty();
      }
    }
    try (JournalReader journal = SqliteJournal.openReadOnly(GatewayProcess.journal(folder))) {
      RunRecord run = journal.runNamed("local", "night").orElseThrow();
      CallRecord paid = journal.callsOf(run.id(), 10).getFirst();
      assertThat(journal.attemptsOf(paid.id()))
          .extracting(AttemptRecord::cost)
          .containsExactly(CENT);
    }
  }

  private static McpClient night(World world) throws Exception {
    return world.connect(McpClient.http(world.gateway().url()).header("Callbound-Run", "night"));
  }

  private static McpClient night(GatewayProcess gateway) throws Exception {
    return McpClient.http(gateway.url()).header("Callbound-Run", "night").connect();
  }

  private static JsonNode get(McpClient client, String path) {
    return client.raw("GET", path, HttpHeaders.of(), new byte[0]).json();
  }

  private static RawResponse post(McpClient client, String body) {
    return client.raw(
        "POST",
        "/v1/runs",
        HttpHeaders.of("Content-Type", "application/json"),
        body.getBytes(StandardCharsets.UTF_8));
  }
}
