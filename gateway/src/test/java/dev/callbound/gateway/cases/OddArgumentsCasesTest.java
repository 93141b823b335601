package dev.callbound.gateway.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.wire.HttpHeaders;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arguments that are valid and odd: they arrive as they are, and their repeat is recognised. */
class OddArgumentsCasesTest {
  private static final String KEYED =
      "deadline: 20s, tools: {write_with_key: {recognise: {key: {argument: idempotency_key}}}}";

  @TempDir Path folder;

  /** The same value in another spelling is the same intent. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void theOrderOfKeysAndTheSpellingOfValuesDoNotMatter(Way way) throws Exception {
    try (World world = World.of(folder, way, KEYED, "")) {
      McpClient client = world.client();
      once(
          world,
          client,
          "o",
          "{\"marker\":\"o\",\"text\":\"\\u00e9\\/\",\"n\":1.0,\"deep\":{\"a\":1,\"b\":[2,3]}}",
          "{\"deep\":{\"b\":[2,3],\"a\":1e0},\"n\":1,\"text\":\"é/\",\"marker\":\"o\"}");
    }
  }

  /** What no number of a computer holds is kept as it was written. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void numbersBeyondTheRangeAreTheirDigits(Way way) throws Exception {
    try (World world = World.of(folder, way, KEYED, "")) {
      McpClient client = world.client();
      once(
          world,
          client,
          "n1",
          "{\"marker\":\"n1\",\"n\":1e400}",
          "{\"n\":1e400,\"marker\":\"n1\"}");
      once(
          world,
          client,
          "n2",
          "{\"marker\":\"n2\",\"n\":2e400}",
          "{\"marker\":\"n2\",\"n\":2e400}");
      client.call("write_with_key", "{\"marker\":\"id\",\"n\":9007199254740993}");
      client.call("write_with_key", "{\"marker\":\"id\",\"n\":9007199254740992}");

      assertThat(world.server().ledger().effectsMarked("id")).as("two ids are two").hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void halfACharacterIsNotMistakenForAnother(Way way) throws Exception {
    try (World world = World.of(folder, way, KEYED, "")) {
      McpClient client = world.client();
      client.call("write_with_key", "{\"marker\":\"s\",\"text\":\"\\ud83d\"}");
      client.call("write_with_key", "{\"marker\":\"s\",\"text\":\"\\ud83e\"}");
      client.call("write_with_key", "{\"text\":\"\\uD83D\",\"marker\":\"s\"}");

      assertThat(world.server().ledger().effectsMarked("s")).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aTextOfAMebibyteIsCarried(Way way) throws Exception {
    try (World world = World.of(folder, way, KEYED, "")) {
      McpClient client = world.client();
      String text = "x".repeat(1 << 20);
      once(
          world,
          client,
          "l",
          "{\"marker\":\"l\",\"text\":\"" + text + "\"}",
          "{\"text\":\"" + text + "\",\"marker\":\"l\"}");
    }
  }

  /** Not JSON, so there is nothing to be sent. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void whatIsNoNumberIsNoRequest(Way way) throws Exception {
    try (World world = World.of(folder, way, KEYED, "")) {
      McpClient client = world.client();
      for (String number : new String[] {"NaN", "Infinity", "-Infinity", "01", "0x1"}) {
        String body =
            """
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"write_with_key",\
            "arguments":{"marker":"nan","n":%s}}}"""
                .formatted(number);
        assertThat(client.post(body.getBytes(UTF_8), new HttpHeaders()).status())
            .as(number)
            .isEqualTo(400);
      }
      assertThat(world.server().ledger().callsOf("write_with_key")).isEmpty();
    }
  }

  private static void once(
      World world, McpClient client, String marker, String first, String second) throws Exception {
    JsonNode answer = client.call("write_with_key", first);
    JsonNode again = client.call("write_with_key", second);

    assertThat(World.outcome(answer)).as(answer.toString()).isEqualTo("ok");
    assertThat(World.text(again)).isEqualTo(World.text(answer));
    LedgerReport ledger = world.server().ledger();
    assertThat(ledger.effectsMarked(marker)).hasSize(1);
  }
}
