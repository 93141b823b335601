package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers over stdio that write what is no message where messages belong. */
class NoiseCasesTest {
  /** Noise of several kinds before the server says its first word. */
  private static final String NOISY_START =
      """
      echo "Welcome to the server, version 3"
      echo
      printf '\\r\\n'
      echo '{"level":"info","message":"JSON, and no JSON-RPC"}'
      printf '\\377\\376 not UTF-8\\n'
      echo "loading plugins" >&2
      exec "$@"
      """;

  @TempDir Path folder;

  /** Log lines on stdout make clients drop the connection; unread stderr makes the child freeze. */
  @ParameterizedTest
  @CsvSource({
    "garbage_stdout, '{\"lines\":200}', ok after noise",
    "garbage_stdout, '{\"lines\":20000}', ok after noise",
    "stderr_flood, '{\"bytes\":4194304}', ok after flood"
  })
  void noiseBesideTheMessagesHoldsUpNothing(String tool, String arguments, String answer)
      throws Exception {
    try (World world = World.of(folder, Way.STDIO, "deadline: 30s", "")) {
      McpClient client = world.client();
      assertThat(World.text(client.call(tool, arguments))).isEqualTo(answer);
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");

      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf(tool)).hasSize(1);
      assertThat(ledger.events("start")).hasSize(1);
      String note = world.attempt(world.recorded(tool)).end().evidence().upstreamNote();
      if (tool.equals("garbage_stdout")) {
        String lines = arguments.replaceAll("\\D", "");
        assertThat(note).startsWith(lines + " lines on the server's stdout were no messages");
        assertThat(note).contains("connecting to database").hasSizeLessThan(4_096);
      } else {
        assertThat(note).isNull();
      }
    }
  }

  /** A banner, a blank line, a log line that is JSON: all before initialize is answered. */
  @Test
  void noiseBeforeTheFirstAnswerIsSkipped() throws Exception {
    try (World world =
        World.of(
            folder, List.of(Faults.script(folder, "fault", NOISY_START)), "deadline: 30s", "")) {
      McpClient client = world.client();

      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      assertThat(World.outcome(client.call("write_ok", "{\"marker\":\"w\"}"))).isEqualTo("ok");
      assertThat(world.server().ledger().callsMarked("w")).hasSize(1);
      assertThat(world.server().ledger().events("start")).hasSize(1);
    }
  }

  /** Half a message answers nobody: the call ends by its deadline, and the next one works. */
  @Test
  void aTruncatedLineAnswersNobody() throws Exception {
    try (World world = World.of(folder, Way.STDIO, "deadline: 1s", "")) {
      McpClient client = world.client();
      JsonNode read = client.call("truncated_body", "{}");
      assertThat(World.outcome(read)).isEqualTo("ok");
      JsonNode write = client.call("write_then_truncate", "{\"marker\":\"half\"}");
      assertThat(World.outcome(write)).isEqualTo("unknown/timed_out");

      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("truncated_body")).hasSize(2);
      assertThat(ledger.callsMarked("half")).hasSize(1);
      assertThat(ledger.effectsMarked("half")).hasSize(1);
      assertThat(ledger.events("start")).hasSize(1);
      List<AttemptRecord> attempts = world.attempts(world.recorded("truncated_body"));
      assertThat(attempts).hasSize(2);
      assertThat(attempts.getFirst().end().failure().kind()).isEqualTo("timed_out");
      assertThat(attempts.getFirst().end().waited()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  /** A gateway whose servers are noisy says nothing on its own stdout but messages. */
  @Test
  void noiseOfAServerNeverReachesTheClient() throws Exception {
    Faults noisy = Faults.script(folder, "fault", NOISY_START);
    Path config = World.file(folder, List.of(noisy), "deadline: 30s", "");
    try (McpClient client = McpClient.stdio(GatewayProcess.stdio(folder, config)).connect()) {
      assertThat(World.text(client.call("garbage_stdout", "{\"lines\":200}")))
          .isEqualTo("ok after noise");
      assertThat(World.text(client.call("stderr_flood", "{\"bytes\":4194304}")))
          .isEqualTo("ok after flood");
      JsonNode crash = client.call("crash_mid_call", "{\"when\":\"after\",\"marker\":\"c\"}");
      assertThat(World.outcome(crash)).isEqualTo("unknown/connection_lost");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");

      assertThat(client.noise()).isEmpty();
      assertThat(noisy.ledger().effectsMarked("c")).hasSize(1);
    }
  }
}
