package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.RawResponse;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What no server should ever see, and must not disturb those that send something better. */
class BadInputCasesTest {
  private static final String CALL =
      "{\"jsonrpc\": \"2.0\", \"id\": 77, \"method\": \"tools/call\", \"params\":"
          + " {\"name\": \"write_ok\", \"arguments\": {\"marker\": \"MARKER\"}}}";

  @TempDir Path folder;

  @Test
  void whatIsNoRequestReachesNoServer() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      McpClient client = world.client();
      byte[] invalid = CALL.getBytes(StandardCharsets.UTF_8);
      invalid[CALL.indexOf("MARKER")] = (byte) 0xC3;
      String deep = "[".repeat(50_000) + "]".repeat(50_000);

      assertRefused(client, "[" + CALL + "]", 400, "batches are not supported");
      assertRefused(client, CALL.replace("\"id\": 77", "\"id\": 77, \"id\": 78"), 400, "twice");
      assertRefused(
          client,
          CALL.replace("\"marker\": \"MARKER\"", "\"marker\": \"x\", \"marker\": \"y\""),
          400,
          "twice");
      assertRefused(client, CALL.replace("\"MARKER\"", deep), 400, "nested deeper");
      assertRefused(client, CALL.replace("MARKER", "m".repeat(10 << 20)), 413, "max_request");
      assertRefused(client, CALL.substring(0, CALL.length() - 1), 400, "");
      assertRefused(client.post(invalid, new HttpHeaders()), 400, "at byte");

      assertThat(world.server().ledger().calls()).isEmpty();
      assertThat(World.outcome(client.call("write_ok", arguments("good")))).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("good")).hasSize(1);
      assertThat(world.server().ledger().calls()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP, V2025_11_25", "HTTP, V2026_07_28", "STDIO, V2025_11_25"})
  void whatNobodyOffersIsAnErrorAndNoCall(Way way, Revision revision) throws Exception {
    try (World world = World.of(folder, way, "", "")) {
      McpClient client = world.client(revision);

      assertError(client.request("tools/explode", "{}"), -32601, "tools/explode");
      assertError(client.call("no_such_tool", "{}"), -32602, "no_such_tool");
      assertError(client.call("fault__no_such_tool", "{}"), -32602, "no_such_tool");
      assertError(client.request("tools/call", "{}"), -32602, "params.name");
      assertError(
          client.request("tools/call", "{\"name\": \"write_ok\", \"arguments\": [1]}"),
          -32602,
          "params.arguments");
      assertError(
          client.call(
              McpRequest.call("write_ok", "{}").meta("dev.callbound/run", "\"r_0000000000\"")),
          -32602,
          "r_0000000000");
      assertThat(world.server().ledger().calls()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP, V2025_11_25", "HTTP, V2026_07_28", "STDIO, V2025_11_25"})
  void argumentsThatBreakTheSchemaAreNotSent(Way way, Revision revision) throws Exception {
    try (World world = World.of(folder, way, "", "")) {
      JsonNode answer = world.client(revision).call("write_ok", "{\"marker\": 5}");

      assertThat(World.outcome(answer)).isEqualTo("stopped/invalid_arguments");
      assertThat(World.text(answer)).contains("marker", "Correct the arguments");
      assertThat(World.facts(answer).path("attempts").asInt()).isZero();
      assertThat(world.server().ledger().calls()).isEmpty();
      CallRecord call = world.recorded("write_ok");
      assertThat(World.outcome(call)).isEqualTo("stopped/invalid_arguments");
      assertThat(world.attempts(call)).isEmpty();
    }
  }

  private static void assertRefused(McpClient client, String body, int status, String words) {
    assertRefused(
        client.post(body.getBytes(StandardCharsets.UTF_8), new HttpHeaders()), status, words);
  }

  private static void assertRefused(RawResponse response, int status, String words) {
    assertThat(response.status()).as("%s", response).isEqualTo(status);
    JsonNode error = JsonRpc.parse(response.text()).path("error");
    assertThat(error.path("code").asInt()).as("%s", response).isNegative();
    assertThat(error.path("message").asText()).contains(words);
  }

  private static void assertError(JsonNode response, int code, String words) {
    assertThat(response.path("error").path("code").asInt()).as("%s", response).isEqualTo(code);
    assertThat(response.path("error").path("message").asText()).contains(words);
  }
}
