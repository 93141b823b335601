package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers over stdio whose process dies, in a call, between calls or before the first. */
class ProcessDeathCasesTest {
  /** Far below any deadline here: the death is seen, not waited out. */
  private static final Duration SEEN = Duration.ofSeconds(10);

  @TempDir Path folder;

  /** The process exits in the middle of a write, with a read in flight beside it. */
  @ParameterizedTest
  @CsvSource({"after, 1", "before, 0"})
  void aProcessThatDiesInACallLeavesAWriteInDoubtAndARead(String when, int effects)
      throws Exception {
    try (World world = World.of(folder, Way.STDIO, "deadline: 60s", "")) {
      McpClient client = world.client();
      PendingCall read = client.begin("read_slow", "{\"delay_ms\":1500}");
      awaitCall(world, "read_slow");
      long begun = System.nanoTime();
      JsonNode write =
          client.call("crash_mid_call", "{\"when\":\"%s\",\"marker\":\"c\"}".formatted(when));

      assertThat(World.outcome(write)).isEqualTo("unknown/connection_lost");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SEEN);
      assertThat(World.text(write)).contains("Do not call it again").contains("exit code 137");
      assertThat(World.outcome(read.await())).isEqualTo("ok");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsMarked("c")).hasSize(1);
      assertThat(ledger.effectsMarked("c")).hasSize(effects);
      assertThat(ledger.callsOf("read_slow")).hasSize(2);
      assertThat(ledger.events("start")).hasSize(2);
      List<AttemptRecord> reads = world.attempts(world.recorded("read_slow"));
      assertThat(reads).hasSize(2);
      assertThat(reads.getFirst().end().failure().kind()).isEqualTo("broken");
      assertThat(world.attempt(world.recorded("crash_mid_call")).end().evidence().upstreamNote())
          .contains("exit code 137");
    }
  }

  /** What the process said last is what tells why it died. */
  @Test
  void theExitCodeAndTheLastWordsAreInTheRecord() throws Exception {
    String say =
        """
        "$@"
        code=$?
        echo "out of licences" >&2
        exit $code
        """;
    try (World world =
        World.of(
            folder,
            List.of(Faults.script(folder, "fault", say)),
            "deadline: 60s, attempts: 1",
            "")) {
      JsonNode answer =
          world
              .client()
              .call("inject_read", "{\"steps\":[{\"do\":\"crash\",\"code\":3}],\"times\":1}");

      assertThat(World.outcome(answer)).isEqualTo("stopped/retries_exhausted");
      assertThat(World.text(answer)).contains("exit code 3", "out of licences");
      assertThat(world.attempt(world.recorded("inject_read")).end().evidence().upstreamNote())
          .contains("exit code 3", "out of licences");
    }
  }

  /** Between two calls the process is killed: the next call meets a pipe with nobody behind it. */
  @Test
  void aProcessThatIsKilledBetweenCallsIsStartedAgain() throws Exception {
    try (World world = World.of(folder, Way.STDIO, "deadline: 60s", "")) {
      McpClient client = world.client();
      for (int kills = 1; kills <= 3; kills++) {
        assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
        assertThat(world.server().processes()).hasSize(kills);
        ProcessHandle.of(world.server().processes().getLast()).orElseThrow().destroyForcibly();
        // At once: whether the death has been seen by now is chance.
        assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      }
      assertThat(World.outcome(client.call("write_ok", "{\"marker\":\"after\"}"))).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("after")).hasSize(1);
    }
  }

  /** A pipe is full of requests that nobody reads, and then nobody is there to read them. */
  @Test
  void aDeadPipeTakesNothingElseDown() throws Exception {
    Faults fault = Faults.stdio(folder, "fault");
    Faults other = Faults.stdio(folder, "other");
    try (World world = World.of(folder, List.of(fault, other), "deadline: 60s", "")) {
      McpClient client = world.client();
      String large = "x".repeat(1 << 20);
      PendingCall slow = client.begin("other__read_slow", "{\"delay_ms\":1500}");
      ProcessHandle process = ProcessHandle.of(fault.processes().getLast()).orElseThrow();
      signal(process, "STOP");
      PendingCall write =
          client.begin("fault__write_ok", "{\"marker\":\"m\",\"text\":\"%s\"}".formatted(large));
      PendingCall read = client.begin("fault__read_ok", "{\"text\":\"%s\"}".formatted(large));
      assertThat(Eventually.holds(() -> world.begun("write_ok") && world.begun("read_ok")))
          .isTrue();
      process.destroyForcibly();

      // Whether its first byte had left when the process died is chance, and decides.
      String outcome = World.outcome(write.await());
      assertThat(outcome).isIn("ok", "unknown/connection_lost");
      assertThat(fault.ledger().effectsMarked("m")).hasSize(outcome.equals("ok") ? 1 : 0);
      assertThat(World.outcome(read.await())).isEqualTo("ok");
      assertThat(World.outcome(slow.await())).isEqualTo("ok");
      assertThat(other.ledger().events("start")).hasSize(1);
    }
  }

  /** A process that will not start costs each attempt a start, with pauses, and says why. */
  @Test
  void aProcessThatCannotStartThreeTimesIsGivenUpAndTriedAgainByTheNextCall() throws Exception {
    String threeFailures =
        """
        echo started >> "$0.starts"
        starts=$(wc -l < "$0.starts")
        if [ "$starts" -ge 2 ] && [ "$starts" -le 4 ]; then
          echo "cannot read the licence" >&2
          exit 3
        fi
        exec "$@"
        """;
    try (World world =
        World.of(
            folder,
            List.of(Faults.script(folder, "fault", threeFailures)),
            "deadline: 30s, attempts: 3",
            "")) {
      McpClient client = world.client();
      JsonNode crash = client.call("crash_mid_call", "{\"when\":\"before\",\"marker\":\"c\"}");
      assertThat(World.outcome(crash)).isEqualTo("unknown/connection_lost");
      JsonNode answer = client.call("write_ok", "{\"marker\":\"never\"}");

      assertThat(World.outcome(answer)).isEqualTo("stopped/retries_exhausted");
      assertThat(World.text(answer)).contains("exit code 3", "cannot read the licence");
      assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isTrue();
      CallRecord call = world.recorded("write_ok");
      assertThat(world.attempts(call))
          .hasSize(3)
          .allSatisfy(
              attempt -> {
                assertThat(attempt.end().failure().kind()).isEqualTo("not_sent");
                assertThat(attempt.end().evidence().upstreamNote())
                    .contains("exit code 3", "cannot read the licence");
              });
      assertThat(world.server().ledger().callsMarked("never")).isEmpty();
      assertThat(World.outcome(client.call("write_ok", "{\"marker\":\"now\"}"))).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("now")).hasSize(1);
      assertThat(world.server().ledger().events("start")).hasSize(2);
    }
  }

  /** A program that is not there: said at once, and what is wrong with it. */
  @Test
  void aProgramThatDoesNotExistIsNamed() throws Exception {
    Faults good = Faults.stdio(folder, "good");
    Faults missing = Faults.command("missing", List.of("no-such-program", "--serve"));
    try (World world = World.of(folder, List.of(good, missing), "deadline: 30s, attempts: 2", "")) {
      McpClient client = world.client();
      JsonNode answer = client.call("missing__anything", "{}");

      assertThat(World.outcome(answer)).isEqualTo("stopped/retries_exhausted");
      assertThat(World.text(answer)).contains("no such program", "no-such-program");
      JsonNode unqualified = client.call("anything", "{}");
      assertThat(unqualified.path("error").path("message").asText())
          .contains("Unknown tool: anything", "the tools of missing could not be listed");
      assertThat(World.outcome(client.call("good__read_ok", "{}"))).isEqualTo("ok");
    }
  }

  private static void awaitCall(World world, String tool) throws Exception {
    assertThat(Eventually.holds(() -> !world.server().ledger().callsOf(tool).isEmpty())).isTrue();
  }

  private static void signal(ProcessHandle process, String signal) throws Exception {
    ProcessBuilder kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()));
    assertThat(kill.start().waitFor()).as("%s %d", signal, process.pid()).isZero();
  }
}
