package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that carries a key: it is sent again under the same one, and done once. */
class KeyCasesTest {
  static final String KEYED =
      "deadline: 1s, tools: {write_with_key: {recognise: {key: {argument: idempotency_key}}}}";

  @TempDir Path folder;

  /** The server would have known the repeat, had it carried the same key. */
  @Test
  void everyAttemptCarriesTheSameKey() throws Exception {
    try (World world = World.of(folder, Way.HTTP, KEYED, "")) {
      JsonNode answer =
          world
              .client()
              .call("write_with_key", "{\"marker\":\"c11\",\"then\":\"reset\",\"times\":2}");

      assertThat(World.outcome(answer)).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("c11")).hasSize(1);
      assertThat(ledger.callsOf("write_with_key")).hasSize(3);
      assertThat(keys(ledger)).hasSize(1);
      CallRecord record = world.recorded("write_with_key");
      assertThat(keys(ledger)).containsExactly(record.key());
      assertThat(record.key()).hasSize(36).matches("[0-9a-f-]{14}8[0-9a-f-]{21}");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aKeyedWriteIsRepeatedAfterTheWorst(Way way) throws Exception {
    try (World world = World.of(folder, way, KEYED, "")) {
      McpClient client = world.client();
      // Over stdio the others end the process, and the next one would do it all again.
      List<String> faults =
          way == Way.HTTP ? List.of("hang", "reset", "close", "status") : List.of("hang", "status");
      for (String then : faults) {
        JsonNode answer =
            client.call(
                "write_with_key", "{\"marker\":\"%s\",\"then\":\"%s\"}".formatted(then, then));

        assertThat(World.outcome(answer)).as(then).isEqualTo("ok");
        LedgerReport ledger = world.server().ledger();
        assertThat(ledger.effectsMarked(then)).as(then).hasSize(1);
        assertThat(ledger.callsMarked(then)).as(then).hasSize(2);
      }
    }
  }

  /** Another step is another intent; another session of the same run is not. */
  @Test
  void theKeyComesFromTheIntentAlone() throws Exception {
    try (World world = World.of(folder, Way.HTTP, KEYED, "")) {
      String arguments = "{\"marker\":\"k\",\"text\":\"x\"}";
      world.client().call(named("write_with_key", arguments, "one"));
      world.client().call(named("write_with_key", arguments, "two"));
      world.restart();
      world.client().call(named("write_with_key", "{\"text\":\"x\",\"marker\":\"k\"}", "one"));

      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("write_with_key")).as("the third is a repeat").hasSize(2);
      assertThat(keys(ledger)).hasSize(2);
    }
  }

  private static McpRequest named(String tool, String arguments, String step) {
    return RepeatCasesTest.step(tool, arguments, step).meta("dev.callbound/run", "\"night\"");
  }

  /** Keys travel as the tool takes them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "argument: idempotency_key",
        "meta: com.example/idempotencyKey",
        "header: Idempotency-Key",
        "param: idempotencyKey"
      })
  void aKeyTravelsWhereTheToolTakesIt(String carrier) throws Exception {
    String server = "deadline: 1s, tools: {write_with_key: {recognise: {key: {" + carrier + "}}}}";
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      JsonNode answer =
          world.client().call("write_with_key", "{\"marker\":\"c\",\"then\":\"reset\"}");

      assertThat(World.outcome(answer)).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("c")).hasSize(1);
      assertThat(keys(ledger)).containsExactly(world.recorded("write_with_key").key());
    }
  }

  /** A model that sees the argument mints a new key for each attempt. */
  @Test
  void theModelDoesNotSeeTheArgumentAndItsOwnKeyDoesNotCount() throws Exception {
    try (World world = World.of(folder, Way.HTTP, KEYED, "")) {
      McpClient client = world.client();
      JsonNode tools = client.request("tools/list", "{}").path("result").path("tools");
      for (JsonNode tool : tools) {
        boolean keyed = tool.path("name").asText().equals("write_with_key");
        JsonNode properties = tool.path("inputSchema").path("properties");
        assertThat(properties.has("idempotency_key") && keyed).isFalse();
      }
      client.call("write_with_key", "{\"marker\":\"m\",\"idempotency_key\":\"mine-1\"}");
      client.call("write_with_key", "{\"marker\":\"m\",\"idempotency_key\":\"mine-2\"}");

      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("m")).hasSize(1);
      assertThat(keys(ledger)).hasSize(1).doesNotContain("mine-1", "mine-2");
    }
  }

  /** "Still working on it" is no failure, and no reason for a second one. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aServerThatIsStillAtItIsAskedAgain(Way way) throws Exception {
    String server =
        "deadline: 20s, tools: {inject_write: {recognise: {key: {argument: idempotency_key}}}}";
    try (World world = World.of(folder, way, server, "")) {
      JsonNode answer =
          world
              .client()
              .call(
                  "inject_write",
                  "{\"marker\":\"p\",\"times\":2,\"steps\":[{\"do\":\"status\",\"status\":409,"
                      + "\"body\":{\"error\":\"a request with this key is in progress\"}}],"
                      + "\"then\":[{\"do\":\"effect\",\"keyed\":true},{\"do\":\"reply\"}]}");

      assertThat(World.outcome(answer)).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("p")).hasSize(1);
      assertThat(ledger.callsMarked("p")).hasSize(3);
      assertThat(world.attempts(world.recorded("inject_write")))
          .as("asking is no attempt")
          .hasSize(1);
    }
  }

  /** What the server refuses for its key is a conflict, and not tried again. */
  @ParameterizedTest
  @CsvSource({
    "422, {\"error\": \"this idempotency key was used with another payload\"}",
    "400, {\"error\": \"idempotency_conflict\"}"
  })
  void aServerThatKnowsTheKeyFromElsewhereIsBelieved(int status, String body) throws Exception {
    String server =
        "deadline: 2s, tools: {inject_write: {recognise: {key: {argument: idempotency_key}}}}";
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      JsonNode answer =
          world
              .client()
              .call(
                  "inject_write",
                  "{\"steps\":[{\"do\":\"status\",\"status\":%d,\"body\":%s}]}"
                      .formatted(status, body));

      assertThat(World.outcome(answer)).isEqualTo("stopped/key_conflict");
      assertThat(world.server().ledger().callsOf("inject_write")).hasSize(1);
    }
  }

  /** Past its time the provider would take the repeat for something new. */
  @Test
  void aKeyThatTheProviderHasForgottenRecognisesNothing() throws Exception {
    String server =
        "deadline: 1500ms, tools: {write_with_key: {attempts: 3,"
            + " recognise: {key: {argument: idempotency_key, expires: 1s}}}}";
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      McpClient client = world.client();
      String arguments = "{\"marker\":\"e\",\"then\":\"hang\",\"times\":99,\"ttl_ms\":1000}";

      JsonNode first = client.call("write_with_key", arguments);
      JsonNode second = client.call("write_with_key", arguments);

      assertThat(World.outcome(first)).isEqualTo("unknown/timed_out");
      assertThat(World.outcome(second)).isEqualTo("unknown/timed_out");
      assertThat(world.server().ledger().callsOf("write_with_key")).hasSize(1);
    }
  }

  /** An unknown is asked about under its key when the intent comes again. */
  @Test
  void aRepeatOfAnUnknownKeyedWriteAsksUnderTheSameKey() throws Exception {
    try (World world = World.of(folder, Way.HTTP, KEYED, "")) {
      McpClient client = world.client();
      String arguments = "{\"marker\":\"u\",\"then\":\"reset\",\"times\":3}";
      JsonNode first = client.call("write_with_key", arguments);
      JsonNode second = client.call("write_with_key", arguments);

      assertThat(World.outcome(first)).isEqualTo("unknown/connection_lost");
      assertThat(World.outcome(second)).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("u")).hasSize(1);
      assertThat(keys(ledger)).hasSize(1);
      List<CallRecord> records = world.recorded("write_with_key", 2);
      assertThat(World.outcome(records.getFirst())).as("settled").isEqualTo("ok");
      assertThat(records.getFirst().settled().by().code()).isEqualTo("repeat");
      assertThat(records.getLast().follows()).isEqualTo(records.getFirst().id());
    }
  }

  private static Set<String> keys(LedgerReport ledger) {
    return ledger.callsOf("write_with_key").stream()
        .map(LedgerReport.Call::key)
        .collect(Collectors.toSet());
  }
}
