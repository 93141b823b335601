package dev.callbound.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.RawResponse;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.client.StandaloneStream;
import dev.callbound.testkit.client.WireException;
import dev.callbound.testkit.client.WireException.Kind;
import dev.callbound.testkit.wire.HttpHeaders;
import java.io.EOFException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server in this process and the client, against each other over real sockets. */
class FaultServerTest {
  private final FaultServer server = FaultServer.http().name("alpha").start();
  private McpClient client;

  @BeforeEach
  void connect() throws Exception {
    client = McpClient.http(server.url()).connect();
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Revision.class)
  void everyRevisionListsAndCallsTools(Revision revision) throws Exception {
    try (McpClient other = McpClient.http(server.url()).revision(revision).connect()) {
      JsonNode tools = other.request("tools/list", "{}").path("result").path("tools");
      assertThat(tools.findValuesAsText("name"))
          .contains("read_ok", "write_then_hang", "inject_write", "need_roots");
      JsonNode result = other.call("read_ok", "{\"text\": \"hi\"}").path("result");
      assertThat(result.path("content").path(0).path("text").asText()).isEqualTo("hi");
      assertThat(result.has("resultType")).isEqualTo(!revision.hasSessions());
      assertThat(server.ledger().calls().getLast().protocol()).isEqualTo(revision.text());
    }
  }

  @Test
  void aResetIsSeenAsAResetAndTheWriteIsCounted() throws Exception {
    assertThatThrownBy(() -> client.call("write_then_reset", "{\"marker\": \"r\"}"))
        .hasRootCauseInstanceOf(SocketException.class)
        .rootCause()
        .hasMessageContaining("reset");
    assertThat(server.ledger().effectsMarked("r")).hasSize(1);
    assertThat(server.ledger().callsMarked("r").getFirst().outcome()).isEqualTo("reset");
  }

  @Test
  void aResetBeforeTheWriteExecutesNothing() throws Exception {
    assertThatThrownBy(() -> client.call("reset_before_write", "{\"marker\": \"b\"}"))
        .isInstanceOf(WireException.class);
    assertThat(server.ledger().effectsMarked("b")).isEmpty();
    assertThat(client.call("reset_before_write", "{\"marker\": \"b\"}").has("result")).isTrue();
    assertThat(server.ledger().effectsMarked("b")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "sse"})
  void halfABodyEndsBeforeItsEnd(String form) {
    String arguments = "{\"marker\": \"t\", \"reply\": \"" + form + "\"}";
    assertThatThrownBy(() -> client.call("write_then_truncate", arguments))
        .isInstanceOfSatisfying(
            WireException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN))
        .hasRootCauseInstanceOf(EOFException.class);
    assertThat(server.ledger().effectsMarked("t")).hasSize(1);
  }

  @Test
  void aCloseWithoutAResponseIsAnEnd() {
    assertThatThrownBy(() -> client.call("write_then_close", "{}"))
        .hasRootCauseInstanceOf(EOFException.class);
  }

  @Test
  void aStallSendsTheBeginningAndNoMore() throws Exception {
    try (McpClient hasty = McpClient.http(server.url()).timeout(Duration.ofMillis(300)).connect()) {
      assertThatThrownBy(() -> hasty.call("stall_after_headers", "{}"))
          .isInstanceOfSatisfying(
              WireException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
    }
    assertThat(server.ledger().calls().getFirst().outcome()).isEqualTo("stalled");
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "sse"})
  void nineMebibytesArriveWhole(String form) throws Exception {
    JsonNode response = client.call("huge_result", "{\"reply\": \"" + form + "\"}");
    String text = response.path("result").path("content").path(0).path("text").asText();
    assertThat(text).hasSize(9 * 1024 * 1024);
  }

  @Test
  void statusesCarryTheirHeaders() {
    RawResponse limited = refusal("status_429", "{\"retry_after\": \"soon\"}");
    assertThat(limited.status()).isEqualTo(429);
    assertThat(limited.headers().first("Retry-After")).isEqualTo("soon");
    assertThat(refusal("retry_after_date", "{}").headers().first("Retry-After")).endsWith("GMT");
    assertThat(refusal("status_524", "{}").text()).contains("<html>");
    RawResponse redirect = refusal("redirect", "{\"location\": \"/mcp/\", \"status\": 308}");
    assertThat(redirect.status()).isEqualTo(308);
    assertThat(redirect.headers().first("Location")).isEqualTo("/mcp/");
  }

  @Test
  void aFaultStrikesAsOftenAsToldInItsScope() throws Exception {
    assertThat(refusal("flaky_n", "{\"scope\": \"a\"}").status()).isEqualTo(503);
    assertThat(refusal("flaky_n", "{\"scope\": \"a\"}").status()).isEqualTo(503);
    assertThat(client.call("flaky_n", "{\"scope\": \"a\"}").has("result")).isTrue();
    assertThat(refusal("flaky_n", "{\"scope\": \"b\"}").status()).isEqualTo(503);
  }

  @Test
  void aDroppedStreamIsResumedWithTheAnswer() throws Exception {
    PendingCall call = client.begin("sse_drop", "{\"work_ms\": 50}");
    assertThatThrownBy(call::await).isInstanceOf(WireException.class);
    assertThat(call.lastEventId()).isNotNull();
    JsonNode answer = client.resume(call);
    assertThat(answer.path("result").path("content").path(0).path("text").asText())
        .isEqualTo("resumed");
    assertThat(server.ledger().calls()).hasSize(1);
    assertThat(server.ledger().events("resume")).hasSize(1);
  }

  @Test
  void aLostStreamCannotBeResumed() {
    PendingCall call = client.begin("sse_drop_lost", "{}");
    assertThatThrownBy(call::await).isInstanceOf(WireException.class);
    assertThatThrownBy(() -> client.resume(call))
        .isInstanceOfSatisfying(
            WireException.class, e -> assertThat(e.kind()).isEqualTo(Kind.STATUS));
  }

  @Test
  void aCancelledCallThatHonoursItExecutesNothing() throws Exception {
    PendingCall call =
        client.begin(
            "write_slow", "{\"marker\": \"c\", \"delay_ms\": 30000, \"honor_cancel\": true}");
    assertThat(Eventually.holds(() -> server.ledger().callsMarked("c").size() == 1)).isTrue();
    call.cancel("enough");
    assertThat(Eventually.holds(() -> "cancelled".equals(outcome("c")))).isTrue();
    assertThat(server.ledger().effectsMarked("c")).isEmpty();
    assertThat(server.ledger().events("cancel").getFirst().fields().path("tool").asText())
        .isEqualTo("write_slow");
  }

  @Test
  void goingAwayIsNoticedAndIsNoCancellationBefore2026() throws Exception {
    PendingCall call =
        client.begin(
            "write_slow", "{\"marker\": \"g\", \"delay_ms\": 200, \"honor_cancel\": true}");
    assertThat(Eventually.holds(() -> server.ledger().callsMarked("g").size() == 1)).isTrue();
    call.hangUp();
    assertThatThrownBy(call::await)
        .isInstanceOfSatisfying(
            WireException.class, e -> assertThat(e.kind()).isEqualTo(Kind.HUNG_UP));
    assertThat(Eventually.holds(() -> server.ledger().events("disconnect").size() == 1)).isTrue();
    assertThat(Eventually.holds(() -> server.ledger().effectsMarked("g").size() == 1)).isTrue();
  }

  @Test
  void progressAndListChangesAreHeard() throws Exception {
    McpRequest call =
        McpRequest.call("slow_progress", "{\"every_ms\": 5, \"count\": 3}").progressToken("p");
    assertThat(client.call(call).has("result")).isTrue();
    assertThat(client.notifications("notifications/progress")).hasSize(3);
    try (StandaloneStream stream = client.openStream()) {
      client.call("switch_toolset", "{}");
      String changed = "notifications/tools/list_changed";
      assertThat(Eventually.holds(() -> !client.notifications(changed).isEmpty())).isTrue();
      assertThat(client.call("count_items", "{\"duration\": \"1h\"}").has("error")).isTrue();
      server.close();
      assertThat(stream.awaitEnd(5000)).isTrue();
    }
  }

  @Test
  void signsOfLifeComeWithoutAnAnswer() throws Exception {
    PendingCall call = client.begin("heartbeat_forever", "{\"every_ms\": 5}");
    assertThat(Eventually.holds(() -> call.comments() >= 3)).isTrue();
    call.hangUp();
    assertThatThrownBy(call::await).isInstanceOf(WireException.class);
  }

  @Test
  void anExpiredSessionIsRefusedAsToldAndNothingIsCalled() throws Exception {
    server.control("{\"expire_sessions\": true, \"stale_status\": 503}");
    JsonNode refused = client.call("write_ok", "{}");
    assertThat(refused.path("error").path("code").asInt()).isEqualTo(-32001);
    assertThat(server.ledger().calls()).isEmpty();
    assertThat(server.ledger().events("session_refused")).hasSize(1);
  }

  @Test
  void controlFaultsStrikeAnyMethod() throws Exception {
    server.control(
        """
        {"faults": [
          {"match": "tools/list", "steps": [{"do": "rpc_error", "code": -32000}]},
          {"match": "tools/call:upsert", "steps":
            [{"do": "effect", "once_per_marker": true}, {"do": "reset"}]}]}
        """);
    assertThat(client.request("tools/list", "{}").path("error").path("code").asInt())
        .isEqualTo(-32000);
    assertThat(client.request("tools/list", "{}").has("result")).isTrue();
    assertThatThrownBy(() -> client.call("upsert", "{\"marker\": \"u\"}"))
        .isInstanceOf(WireException.class);
    assertThat(client.call("upsert", "{\"marker\": \"u\"}").has("result")).isTrue();
    assertThat(server.ledger().effectsMarked("u")).hasSize(1);
    assertThatThrownBy(() -> server.control("{\"faults\": [{\"steps\": [{\"do\": \"fly\"}]}]}"))
        .hasMessageContaining("fly");
  }

  @Test
  void connectionsAreRefusedForAWhile() throws Exception {
    server.control("{\"refuse_ms\": 150}");
    assertThatThrownBy(() -> client.call("read_ok", "{}"))
        .isInstanceOfSatisfying(
            WireException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_CONNECTED));
    assertThat(Eventually.holds(this::answers)).isTrue();
  }

  @Test
  void keysMakeARepeatTheSameWrite() throws Exception {
    String arguments = "{\"marker\": \"k\", \"delay_ms\": 50, \"idempotency_key\": \"one\"}";
    List<CompletableFuture<JsonNode>> both =
        List.of(
            client.callAsync("write_with_key", arguments),
            client.callAsync("write_with_key", arguments));
    for (CompletableFuture<JsonNode> call : both) {
      assertThat(call.get().has("result")).isTrue();
    }
    JsonNode conflict =
        client.call("write_with_key", "{\"marker\": \"x\", \"idempotency_key\": \"one\"}");
    assertThat(conflict.path("error").path("data").path("reason").asText())
        .isEqualTo("idempotency_conflict");
    assertThat(server.ledger().effects()).hasSize(1);
    assertThat(server.ledger().effects().getFirst().key()).isEqualTo("one");
  }

  @Test
  void badInputIsRefusedByTheServerAndShownByTheClient() {
    RawResponse garbage = client.post("{".getBytes(StandardCharsets.UTF_8), new HttpHeaders());
    assertThat(garbage.status()).isEqualTo(400);
    assertThat(garbage.json().path("error").path("code").asInt()).isEqualTo(-32700);
    RawResponse batch = client.post("[]".getBytes(StandardCharsets.UTF_8), new HttpHeaders());
    assertThat(batch.status()).isEqualTo(400);
    RawResponse elsewhere =
        client.raw("PUT", "/mcp", HttpHeaders.of("Mcp-Session-Id", "none"), new byte[0]);
    assertThat(elsewhere.status()).isEqualTo(405);
    assertThat(client.endSession().status()).isEqualTo(204);
    assertThat(client.endSession().status()).isEqualTo(404);
  }

  @Test
  void effectsAndKeysSurviveACrashInThisProcess(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("ledger.jsonl");
    try (FaultServer fragile = FaultServer.http().ledger(file).start()) {
      try (McpClient before = McpClient.http(fragile.url()).connect()) {
        assertThatThrownBy(() -> before.call("write_with_key", keyed("crash")))
            .isInstanceOf(WireException.class);
        assertThat(fragile.crashed()).isTrue();
        assertThatThrownBy(() -> before.call("read_ok", "{}"))
            .isInstanceOfSatisfying(
                WireException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_CONNECTED));
      }
      fragile.restart();
      try (McpClient after = McpClient.http(fragile.url()).connect()) {
        JsonNode repeated = after.call("write_with_key", keyed("ok")).path("result");
        assertThat(repeated.path("structuredContent").path("replayed").asBoolean()).isTrue();
      }
      assertThat(fragile.ledger().effects()).hasSize(1);
    }
    assertThat(Files.readString(file)).containsOnlyOnce("\"kind\":\"effect\"");
    try (FaultServer next = FaultServer.http().ledger(file).start()) {
      assertThat(next.ledger().effectsMarked("z")).hasSize(1);
      next.reset();
      assertThat(next.ledger().effects()).isEmpty();
    }
    assertThat(Files.readString(file)).isEmpty();
  }

  private static String keyed(String then) {
    return "{\"marker\": \"z\", \"idempotency_key\": \"k\", \"then\": \"" + then + "\"}";
  }

  private RawResponse refusal(String tool, String arguments) {
    WireException refused =
        catchThrowableOfType(WireException.class, () -> client.call(tool, arguments));
    return refused.response().orElseThrow();
  }

  private boolean answers() throws InterruptedException {
    try {
      return client.call("read_ok", "{}").has("result");
    } catch (WireException e) {
      return false;
    }
  }

  private String outcome(String marker) {
    return String.valueOf(server.ledger().callsMarked(marker).getFirst().outcome());
  }
}
