package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Stop means stop, from the client's button down to the tool. */
class CancellationCasesTest {
  /** Far longer than any of these tests: what is cancelled at the server never gets there. */
  private static final String SLOW_WRITE =
      "{\"delay_ms\":15000,\"when\":\"after\",\"honor_cancel\":true,\"marker\":\"stop\"}";

  private static final String SLOW_READ = "{\"delay_ms\":15000,\"honor_cancel\":true}";

  /** How long after it was asked for a cancellation may take on a busy machine. */
  private static final Duration SOON = Duration.ofSeconds(5);

  @TempDir Path folder;

  /** The user stops, the client says so, and the server works on. */
  @ParameterizedTest
  @CsvSource({"HTTP, V2025_03_26", "HTTP, V2025_11_25", "STDIO, V2025_11_25"})
  void whatTheClientCancelsIsCancelledAtTheServer(Way way, Revision revision) throws Exception {
    try (World world = World.of(folder, way, "deadline: 60s", "")) {
      McpClient client = world.client(revision);
      PendingCall write = client.begin("write_slow", SLOW_WRITE);
      PendingCall read = client.begin("read_slow", SLOW_READ);
      awaitCalls(world, "write_slow", "read_slow");
      long cancelled = System.nanoTime();
      write.cancel("the user pressed stop");
      read.cancel("the user pressed stop");

      JsonNode answer = write.await();
      assertThat(World.outcome(answer)).isEqualTo("unknown/cancelled_in_flight");
      assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isFalse();
      assertThat(World.outcome(read.await())).isEqualTo("stopped/cancelled");
      assertThat(Duration.ofNanos(System.nanoTime() - cancelled)).isLessThan(SOON);
      assertCancelledAtServer(world, way, revision, "write_slow", "read_slow");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effects()).isEmpty();
      assertThat(ledger.callsMarked("stop")).hasSize(1);
      assertThat(ledger.callsOf("read_slow")).hasSize(1);
      CallRecord recorded = world.recorded("write_slow");
      assertThat(World.outcome(recorded)).isEqualTo("unknown/cancelled_in_flight");
      assertThat(world.attempt(recorded).end().failure().detail()).contains("by the client");
      assertThat(World.outcome(world.recorded("read_slow"))).isEqualTo("stopped/cancelled");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
    }
  }

  /** Since 2026-07-28 the end of the stream says it, from the client and to the server. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aReadWhoseStreamTheClientEndsIsCancelledAtTheServer(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 60s", "")) {
      McpClient client = world.client(Revision.V2026_07_28);
      PendingCall read = client.begin("read_slow", SLOW_READ);
      awaitCalls(world, "read_slow");
      long cancelled = System.nanoTime();
      read.cancel("the user pressed stop");

      CallRecord recorded = world.recorded("read_slow");
      assertThat(Duration.ofNanos(System.nanoTime() - cancelled)).isLessThan(SOON);
      assertThat(World.outcome(recorded)).isEqualTo("stopped/cancelled");
      assertThat(world.attempt(recorded).end().failure().detail()).contains("by the client");
      assertCancelledAtServer(world, way, Revision.V2026_07_28, "read_slow");
      assertThat(world.server().ledger().callsOf("read_slow")).hasSize(1);
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
    }
  }

  /** A deadline of ours is a cancellation for the server. */
  @ParameterizedTest
  @CsvSource({"HTTP, V2025_11_25", "HTTP, V2026_07_28", "STDIO, V2025_11_25"})
  void whatRunsIntoItsDeadlineIsCancelledAtTheServer(Way way, Revision revision) throws Exception {
    try (World world = World.of(folder, way, "deadline: 1s, attempts: 2, late_window: 0s", "")) {
      McpClient client = world.client(revision);
      PendingCall write = client.begin("write_slow", SLOW_WRITE);
      PendingCall read = client.begin("read_slow", SLOW_READ);

      assertThat(World.outcome(write.await())).isEqualTo("unknown/timed_out");
      assertThat(World.outcome(read.await())).isEqualTo("stopped/retries_exhausted");
      assertCancelledAtServer(world, way, revision, "write_slow", "read_slow", "read_slow");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effects()).isEmpty();
      assertThat(ledger.callsOf("write_slow")).hasSize(1);
      assertThat(ledger.callsOf("read_slow")).hasSize(2);
      for (AttemptRecord attempt : world.attempts(world.recorded("read_slow"))) {
        assertThat(attempt.end().failure().kind()).isEqualTo("timed_out");
        assertThat(attempt.end().waited()).isGreaterThanOrEqualTo(Duration.ofMillis(990));
      }
    }
  }

  /** A whole run is cancelled, from outside: each of its calls ends, at the server too. */
  @ParameterizedTest
  @CsvSource({"HTTP, V2025_11_25", "HTTP, V2026_07_28", "STDIO, V2025_11_25"})
  void theEndOfARunCancelsItsCallsAndItsWaits(Way way, Revision revision) throws Exception {
    try (World world = World.of(folder, way, "deadline: 60s", "backoff: {base: 60s, cap: 60s}")) {
      McpClient client = world.client(revision);
      String run = world.openRun(client, "{\"name\":\"nightly\"}").path("id").asText();
      PendingCall write = client.begin(inRun(run, "write_slow", SLOW_WRITE));
      PendingCall waiting = client.begin(inRun(run, "status_503", "{}"));
      awaitCalls(world, "write_slow", "status_503");
      awaitEnded(world, "status_503");
      world.cancelRun(client, run);

      assertThat(World.outcome(write.await())).isEqualTo("unknown/cancelled_in_flight");
      assertThat(World.outcome(waiting.await())).isEqualTo("stopped/cancelled");
      assertCancelledAtServer(world, way, revision, "write_slow");
      assertThat(world.server().ledger().effects()).isEmpty();
      assertThat(world.server().ledger().callsOf("status_503")).hasSize(1);
      JsonNode after = client.call(inRun(run, "write_ok", "{}"));
      assertThat(World.outcome(after)).isEqualTo("stopped/run_over");
      assertThat(world.server().ledger().callsOf("write_ok")).isEmpty();
    }
  }

  /** A cancelled run still sleeps out its backoff, and tries again. */
  @ParameterizedTest
  @CsvSource({"HTTP, V2025_11_25", "HTTP, V2026_07_28", "STDIO, V2025_11_25"})
  void cancellingDuringAWaitEndsTheWaitAndSendsNothingMore(Way way, Revision revision)
      throws Exception {
    try (World world = World.of(folder, way, "deadline: 60s", "backoff: {base: 60s, cap: 60s}")) {
      McpClient client = world.client(revision);
      PendingCall read = client.begin("status_503", "{}");
      PendingCall write =
          client.begin("write_rejected", "{\"status\":429,\"retry_after\":60,\"marker\":\"no\"}");
      awaitCalls(world, "status_503", "write_rejected");
      awaitEnded(world, "status_503", "write_rejected");
      if (revision.hasSessions()) {
        read.cancel("the user pressed stop");
        write.cancel("the user pressed stop");
        assertThat(World.outcome(read.await())).isEqualTo("stopped/cancelled");
        JsonNode answer = write.await();
        assertThat(World.outcome(answer)).isEqualTo("stopped/cancelled");
        assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isTrue();
      } else {
        read.hangUp();
        write.hangUp();
      }

      for (String tool : List.of("status_503", "write_rejected")) {
        CallRecord recorded = world.recorded(tool);
        assertThat(World.outcome(recorded)).isEqualTo("stopped/cancelled");
        assertThat(world.attempt(recorded).end().decision().pause())
            .isGreaterThanOrEqualTo(Duration.ofSeconds(60));
        assertThat(world.server().ledger().callsOf(tool)).hasSize(1);
      }
      assertThat(world.server().ledger().effects()).isEmpty();
    }
  }

  /**
   * A call that waits for its server to start has not been sent, and the start is for everybody.
   */
  @Test
  void cancellingWhileTheServerStartsSendsNothingAndDoesNotCancelTheStart() throws Exception {
    try (World world =
        World.of(
            folder,
            List.of(Faults.stdio(folder, "fault", "--init-delay-ms", "2000")),
            "deadline: 60s",
            "")) {
      McpClient client = world.client();
      JsonNode crashed = client.call("crash_mid_call", "{\"when\":\"before\"}");
      assertThat(World.outcome(crashed)).isEqualTo("unknown/connection_lost");
      PendingCall queued = client.begin("write_ok", "{\"marker\":\"queued\"}");
      assertThat(Eventually.holds(() -> world.server().ledger().events("start").size() == 2))
          .isTrue();
      queued.cancel("the user pressed stop");

      assertThat(World.outcome(queued.await())).isEqualTo("stopped/cancelled");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsMarked("queued")).isEmpty();
      assertThat(ledger.effects()).isEmpty();
      assertThat(ledger.events("cancel")).isEmpty();
      assertThat(ledger.events("start")).hasSize(2);
      assertThat(ledger.events("initialize")).hasSize(2);
      assertThat(world.attempt(world.recorded("write_ok")).end().failure().mayHaveRun()).isFalse();
    }
  }

  /** The same over HTTP, where a session is renewed. */
  @Test
  void cancellingWhileASessionIsRenewedSendsNothingAndDoesNotCancelTheRenewal() throws Exception {
    Faults server = Faults.http(folder, "fault");
    AtomicInteger beginnings = new AtomicInteger();
    try (Balancer balancer =
            Balancer.start(
                request -> {
                  beginnings.addAndGet(request.begins() ? 1 : 0);
                  return server.url();
                });
        World world =
            World.of(
                folder, List.of(Faults.at(balancer.url(), "fault", server)), "deadline: 60s", "")) {
      McpClient client = world.client();
      server.control("{\"expire_sessions\":true,\"init_delay_ms\":2000}");
      PendingCall queued = client.begin("write_ok", "{\"marker\":\"queued\"}");
      assertThat(Eventually.holds(() -> beginnings.get() == 2)).isTrue();
      queued.cancel("the user pressed stop");

      assertThat(World.outcome(queued.await())).isEqualTo("stopped/cancelled");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      LedgerReport ledger = server.ledger();
      assertThat(ledger.callsMarked("queued")).isEmpty();
      assertThat(ledger.effects()).isEmpty();
      assertThat(ledger.events("cancel")).isEmpty();
      assertThat(ledger.events("initialize")).hasSize(2);
    }
  }

  /** A server that can't be stopped makes no difference to who waits, and the doubt is real. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aServerThatIgnoresACancellationKeepsNobodyWaiting(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 60s", "")) {
      McpClient client = world.client();
      PendingCall write =
          client.begin(
              "write_slow", "{\"delay_ms\":1500,\"when\":\"after\",\"marker\":\"anyway\"}");
      awaitCalls(world, "write_slow");
      write.cancel("the user pressed stop");

      assertThat(World.outcome(write.await())).isEqualTo("unknown/cancelled_in_flight");
      assertThat(
              Eventually.holds(() -> world.server().ledger().effectsMarked("anyway").size() == 1))
          .isTrue();
      assertThat(world.server().ledger().callsMarked("anyway")).hasSize(1);
      assertThat(World.outcome(world.recorded("write_slow")))
          .isEqualTo("unknown/cancelled_in_flight");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
    }
  }

  private static McpRequest inRun(String run, String tool, String arguments) {
    return McpRequest.call(tool, arguments).header("Callbound-Run", run);
  }

  private static void awaitCalls(World world, String... tools) throws Exception {
    for (String tool : tools) {
      assertThat(Eventually.holds(() -> !world.server().ledger().callsOf(tool).isEmpty()))
          .as("%s has arrived", tool)
          .isTrue();
    }
  }

  /** Waits until the gateway has recorded what it decided after the first attempt. */
  private static void awaitEnded(World world, String... tools) throws Exception {
    for (String tool : tools) {
      assertThat(Eventually.holds(() -> world.waits(tool))).as("%s waits", tool).isTrue();
    }
  }

  /** Each of the calls has been told to stop, in the way of the revision, and has stopped. */
  private static void assertCancelledAtServer(
      World world, Way way, Revision revision, String... tools) throws Exception {
    boolean byMessage = revision.hasSessions() || way == Way.STDIO;
    String event = byMessage ? "cancel" : "disconnect";
    assertThat(Eventually.holds(() -> toolsOf(world, event).containsAll(List.of(tools))))
        .as("the server hears that %s are cancelled", List.of(tools))
        .isTrue();
    for (String tool : tools) {
      assertThat(
              Eventually.holds(
                  () ->
                      world.server().ledger().callsOf(tool).stream()
                          .allMatch(call -> "cancelled".equals(call.outcome()))))
          .as("%s has stopped", tool)
          .isTrue();
    }
    if (byMessage) {
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.events("cancel"))
          .allSatisfy(
              told ->
                  assertThat(ledger.calls())
                      .anyMatch(
                          call ->
                              call.tool().equals(told.fields().path("tool").asText())
                                  && call.rpcId().equals(told.fields().path("requestId"))));
    }
  }

  private static List<String> toolsOf(World world, String event) {
    return world.server().ledger().events(event).stream()
        .map(told -> told.fields().path("tool").asText())
        .toList();
  }
}
