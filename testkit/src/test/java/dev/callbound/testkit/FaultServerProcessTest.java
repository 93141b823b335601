package dev.callbound.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.client.Answer;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.WireException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process of its own, over stdio and over HTTP. */
class FaultServerProcessTest {
  private static final int KILLED = 137;

  @TempDir private Path folder;

  @Test
  void noiseIsKeptApartFromMessages() throws Exception {
    try (McpClient client = McpClient.stdio(FaultServer.stdio().commandLine()).connect()) {
      assertThat(text(client.call("garbage_stdout", "{\"lines\": 20}"))).contains("noise");
      assertThat(client.noise()).hasSize(20);
      String separators = text(client.call("unicode_separators", "{\"split\": true}"));
      assertThat(separators).isEqualTo("before\u2028middle\u2029after\u0085end \uD83D\uDE80");
      JsonNode limited = client.call("status_429", "{\"retry_after\": 3}");
      assertThat(limited.path("error").path("data").toString())
          .isEqualTo("{\"httpStatus\":429,\"retryAfter\":\"3\"}");
      client.writeLine("not json".getBytes(StandardCharsets.UTF_8));
      assertThat(client.call("read_ok", "{}").has("result")).isTrue();
      client.closeInput();
      assertThat(client.process().waitFor(Duration.ofSeconds(5))).isTrue();
      assertThat(client.process().exitValue()).isZero();
    }
  }

  @Test
  void aFloodOnStderrBlocksWhileNobodyReadsIt() throws Exception {
    List<String> command = FaultServer.stdio().commandLine();
    try (McpClient client = McpClient.stdio(command).leaveStderr().connect()) {
      PendingCall flooding = client.begin("stderr_flood", "{}");
      PendingCall behind = client.begin("read_slow", "{\"delay_ms\": 300}");
      assertThat(Eventually.holds(Duration.ofMillis(600), behind.response()::isDone)).isFalse();
      client.drainStderr();
      assertThat(text(flooding.await())).contains("flood");
      assertThat(behind.await().has("result")).isTrue();
    }
  }

  @Test
  void cancellationAndQuestionsWorkOnStdio() throws Exception {
    List<String> command = FaultServer.stdio().option("admin-port", "0").commandLine();
    try (McpClient client =
        McpClient.stdio(command)
            .onRequest((method, params) -> Answer.result("{\"roots\": []}"))
            .connect()) {
      FaultAdmin admin = FaultAdmin.at(adminAddress(client));
      assertThat(text(client.call("need_roots", "{}"))).contains("roots");
      PendingCall call =
          client.begin(
              "write_slow", "{\"marker\": \"s\", \"delay_ms\": 30000, \"honor_cancel\": true}");
      assertThat(Eventually.holds(() -> admin.ledger().callsMarked("s").size() == 1)).isTrue();
      call.cancel("enough");
      assertThat(
              Eventually.holds(
                  () -> "cancelled".equals(admin.ledger().callsMarked("s").getFirst().outcome())))
          .isTrue();
      assertThat(admin.ledger().effects()).isEmpty();
      admin.control("{\"toolset\": \"v2\"}");
      assertThat(client.call("count_items", "{\"lookback\": \"1h\"}").has("result")).isTrue();
      admin.close();
    }
  }

  @Test
  void aCrashFailsTheCallAndTheNextLifeKnowsTheKey() throws Exception {
    List<String> command = FaultServer.stdio().ledger(folder.resolve("ledger.jsonl")).commandLine();
    String arguments = "{\"marker\": \"m\", \"idempotency_key\": \"k\", \"then\": \"crash\"}";
    try (McpClient first = McpClient.stdio(command).connect()) {
      assertThatThrownBy(() -> first.call("write_with_key", arguments))
          .isInstanceOf(WireException.class)
          .hasMessageContaining("137");
      assertThat(first.process().waitFor()).isEqualTo(KILLED);
    }
    try (McpClient second = McpClient.stdio(command).connect()) {
      JsonNode repeated =
          second.call("write_with_key", "{\"marker\": \"m\", \"idempotency_key\": \"k\"}");
      assertThat(text(repeated)).contains("\"replayed\":true");
    }
    LedgerReport report = LedgerReport.readFile(folder.resolve("ledger.jsonl"));
    assertThat(report.effectsMarked("m")).hasSize(1);
    assertThat(report.callsMarked("m")).extracting("outcome").containsExactly("crash", "ok");
  }

  @Test
  void aStubbornServerOutlivesStdinAndTermAndItsChildIsInTheLedger() throws Exception {
    Path ledger = folder.resolve("ledger.jsonl");
    List<String> command =
        FaultServer.stdio()
            .ledger(ledger)
            .option("linger-ms", "forever")
            .option("ignore-sigterm", "true")
            .option("grandchild", "true")
            .commandLine();
    McpClient client = McpClient.stdio(command).connect();
    client.closeInput();
    assertThat(Eventually.holds(() -> Files.readString(ledger).contains("stdin_end"))).isTrue();
    client.process().destroy();
    assertThat(Eventually.holds(() -> Files.readString(ledger).contains("sigterm"))).isTrue();
    assertThat(client.process().isAlive()).isTrue();
    Matcher child = Pattern.compile("\"child\":(\\d+)").matcher(Files.readString(ledger));
    assertThat(child.find()).isTrue();
    Optional<ProcessHandle> grandchild = ProcessHandle.of(Long.parseLong(child.group(1)));
    assertThat(grandchild).isPresent();
    grandchild.orElseThrow().destroyForcibly();
    client.disconnect();
    assertThat(client.process().waitFor(Duration.ofSeconds(5))).isTrue();
  }

  @Test
  void overHttpItSaysWhereItListensAndDiesWhenToldTo() throws Exception {
    Path ledger = folder.resolve("ledger.jsonl");
    try (FaultServerProcess server = FaultServer.http().ledger(ledger).startProcess();
        McpClient client = McpClient.http(server.url()).connect()) {
      assertThat(client.call("write_ok", "{\"marker\": \"h\"}").has("result")).isTrue();
      assertThat(server.admin().ledger().effectsMarked("h")).hasSize(1);
      assertThatThrownBy(() -> client.call("crash_mid_call", "{\"marker\": \"h\"}"))
          .isInstanceOf(WireException.class);
      assertThat(server.process().waitFor()).isEqualTo(KILLED);
    }
    LedgerReport report = LedgerReport.readFile(ledger);
    assertThat(report.effectsMarked("h")).hasSize(2);
    assertThat(report.callsOf("crash_mid_call").getFirst().outcome()).isEqualTo("crash");
    assertThat(report.events("start")).hasSize(1);
  }

  @Test
  void anUnknownOptionIsNamed() throws Exception {
    assertThatThrownBy(() -> FaultServer.http().option("prot", "1")).hasMessageContaining("--prot");
    assertThatThrownBy(() -> FaultServer.stdio().start()).hasMessageContaining("commandLine()");
  }

  private static URI adminAddress(McpClient client) throws Exception {
    assertThat(Eventually.holds(() -> client.stderr().contains("admin at"))).isTrue();
    return address(client.stderr());
  }

  private static URI address(String text) {
    Matcher url = Pattern.compile("http://[^/\\s]+").matcher(text);
    assertThat(url.find()).isTrue();
    return URI.create(url.group() + "/");
  }

  private static String text(JsonNode response) {
    return response.path("result").path("content").path(0).path("text").asText();
  }
}
