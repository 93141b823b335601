package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EventKind;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.Pulse;
import dev.callbound.journal.RunState;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.wire.JsonRpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Signs of life hide a call that gets nowhere: both are shown, each apart, while it goes on. */
class StuckCasesTest {
  private static final String CANCELLING = "stuck_after: 1s, stuck: cancel, deadline: 60s";

  @TempDir Path folder;

  private final List<JsonNode> alerts = new CopyOnWriteArrayList<>();
  private HttpServer webhook;

  @BeforeEach
  void listen() throws Exception {
    webhook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    webhook.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          alerts.add(JsonRpc.parse(new String(body, StandardCharsets.UTF_8)));
          // The first try fails: it is tried again.
          exchange.sendResponseHeaders(alerts.size() == 1 ? 503 : 204, -1);
          exchange.close();
        });
    webhook.start();
  }

  @AfterEach
  void stopListening() {
    webhook.stop(0);
  }

  private String alertsUrl() {
    return "alerts: {url: 'http://127.0.0.1:" + webhook.getAddress().getPort() + "/'}";
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aCallThatIsStuckIsMarkedAndToldOfAndGoesOn(Way way) throws Exception {
    try (World world =
        World.of(folder, way, "stuck_after: 1s, deadline: 20s, attempts: 1", alertsUrl())) {
      PendingCall call =
          world.client().begin("heartbeat_forever", "{\"every_ms\":100,\"as\":\"log\"}");

      assertThat(Eventually.holds(() -> stuck(world).isPresent() && alerts.size() == 2)).isTrue();
      Pulse pulse = stuck(world).orElseThrow();
      assertThat(pulse.progressCount()).isZero();
      assertThat(pulse.lastProgressAt()).isNull();
      assertThat(pulse.signsOfLife()).isPositive();
      assertThat(pulse.lastSignAt()).isNotNull();
      assertThat(pulse.stuckSince()).isNotNull();
      CallRecord open = open(world).orElseThrow();
      assertThat(open.ending()).isNull();
      assertThat(alerts).allMatch(alert -> alert.equals(alerts.getFirst()));
      assertThat(alerts.getFirst().path("kind").asText()).isEqualTo("call_stuck");
      assertThat(alerts.getFirst().path("call").asText()).isEqualTo(open.id());
      assertThat(alerts.getFirst().path("cancelled").asBoolean()).isFalse();
      assertThat(world.gateway().journal().eventsOf(open.run(), 0, 100))
          .extracting(EventRecord::kind)
          .containsOnlyOnce(EventKind.CALL_STUCK);
      call.cancel("it has been seen");
    }
  }

  @Test
  void programsAreShownHowAnOpenAttemptDoes() throws Exception {
    try (World world =
            World.of(folder, Way.HTTP, "stuck_after: 1s, deadline: 20s, attempts: 1", alertsUrl());
        Programs program = new Programs(world.gateway().url())) {
      PendingCall call =
          world.client().begin("heartbeat_forever", "{\"every_ms\":100,\"as\":\"log\"}");
      assertThat(Eventually.holds(() -> stuck(world).isPresent())).isTrue();

      JsonNode attempt =
          program.get("/v1/calls/" + open(world).orElseThrow().id()).body().path("attempt");

      assertThat(attempt.path("number").asInt()).isEqualTo(1);
      assertThat(attempt.path("age_ms").asLong()).isBetween(1_000L, 20_000L);
      assertThat(attempt.path("progress_count").asInt(-1)).isZero();
      assertThat(attempt.has("last_progress_at")).isFalse();
      assertThat(attempt.path("signs_of_life").asInt()).isPositive();
      assertThat(attempt.path("last_sign_of_life_at").asText()).isNotEmpty();
      assertThat(attempt.path("stuck_since").asText()).isNotEmpty();
      call.cancel("it has been seen");
    }
  }

  @Test
  void aCallThatMakesProgressIsNotStuck() throws Exception {
    try (World world =
        World.of(folder, Way.HTTP, "stuck_after: 1s, deadline: 4s, attempts: 1", alertsUrl())) {
      world.client().call("progress_forever", "{\"every_ms\":200}");

      AttemptRecord attempt = world.attempt(world.recorded("progress_forever"));
      assertThat(attempt.pulse().stuckSince()).isNull();
      assertThat(attempt.pulse().lastProgressAt()).isNotNull();
      assertThat(alerts).isEmpty();
    }
  }

  @Test
  void aCallThatIsStuckIsCancelledWhereThatIsWanted() throws Exception {
    try (World world =
        World.of(folder, Way.HTTP, "stuck_after: 1s, stuck: cancel, deadline: 60s", alertsUrl())) {
      JsonNode answer =
          world.client().call("heartbeat_forever", "{\"every_ms\":100,\"as\":\"comment\"}");

      assertThat(World.outcome(answer)).isEqualTo("stopped/cancelled");
      assertThat(world.attempt(world.recorded("heartbeat_forever")).end().failure().detail())
          .contains("made no progress");
      assertThat(Eventually.holds(() -> !alerts.isEmpty())).isTrue();
      assertThat(alerts.getFirst().path("cancelled").asBoolean()).isTrue();
    }
  }

  /** Whoever could recognise a repeat: what was sent is in doubt, and that is said everywhere. */
  @Test
  void aWriteThatIsCancelledBecauseItIsStuckIsUnknown() throws Exception {
    String tools =
        """
        , tools: {
            write_with_key: {recognise: {key: {argument: idempotency_key}}},
            inject_write: {recognise: {check: {tool: find_by_marker,
                arguments: {marker: '{/marker}'}, found: {at: '/objects/*'}}}}}""";
    try (World world = World.of(folder, Way.HTTP, CANCELLING + tools, alertsUrl())) {
      McpClient client = world.client();
      Map<String, CompletableFuture<JsonNode>> answers =
          Map.of(
              "write_then_hang",
              client.callAsync("write_then_hang", "{\"marker\":\"none\"}"),
              "write_with_key",
              client.callAsync("write_with_key", "{\"marker\":\"key\",\"then\":\"hang\"}"),
              "inject_write",
              client.callAsync(
                  "inject_write",
                  "{\"marker\":\"check\",\"steps\":[{\"do\":\"effect\"},{\"do\":\"hang\"}]}"));

      for (String tool : answers.keySet()) {
        JsonNode answer = answers.get(tool).join();
        assertThat(World.outcome(answer)).as(tool).isEqualTo("unknown/cancelled_in_flight");
        assertThat(World.text(answer)).contains("made no progress");
        CallRecord record = world.recorded(tool);
        assertThat(world.attempt(record).pulse().stuckSince()).isNotNull();
        assertThat(world.attempt(record).end().failure().detail()).contains("made no progress");
        assertThat(world.server().ledger().callsOf(tool)).hasSize(1);
        assertThat(events(world, record))
            .containsSubsequence(EventKind.CALL_STUCK, EventKind.CALL_ENDED);
        assertThat(Eventually.holds(() -> isTold(record))).as("an alert").isTrue();
      }
      assertThat(Eventually.holds(() -> world.recorded("inject_write").settled() != null))
          .as("a check finds out")
          .isTrue();
    }
  }

  @Test
  void oneThatHasDetachedIsCancelledTooAndWhoComesBackIsTold() throws Exception {
    try (World world =
        World.of(folder, Way.HTTP, CANCELLING + ", detach_after: 300ms", alertsUrl())) {
      McpClient client = world.client();
      CompletableFuture<JsonNode> read = client.callAsync("read_hang", "{}");
      JsonNode write = DetachCasesTest.facts(client.call("write_then_hang", "{}"));
      assertThat(write.path("status").asText()).isEqualTo("working");

      JsonNode written = DetachCasesTest.awaited(client, write);
      assertThat(World.outcome(written)).isEqualTo("unknown/cancelled_in_flight");
      assertThat(World.text(written)).contains("made no progress");
      CallRecord recorded = world.recorded("write_then_hang");
      assertThat(Eventually.holds(() -> isTold(recorded))).isTrue();
      assertThat(events(world, recorded)).contains(EventKind.CALL_STUCK);
      assertThat(World.outcome(DetachCasesTest.awaited(client, DetachCasesTest.facts(read.join()))))
          .isEqualTo("stopped/cancelled");
    }
  }

  /** Whether an alert says that the call is stuck, and was cancelled. */
  private boolean isTold(CallRecord record) {
    return alerts.stream()
        .anyMatch(
            alert ->
                alert.path("call").asText().equals(record.id())
                    && alert.path("kind").asText().equals("call_stuck")
                    && alert.path("cancelled").asBoolean());
  }

  private static List<EventKind> events(World world, CallRecord call) {
    return world.gateway().journal().eventsOf(call.run(), 0, 100).stream()
        .filter(event -> call.id().equals(event.data().get("call")))
        .map(EventRecord::kind)
        .toList();
  }

  private static Optional<CallRecord> open(World world) {
    return world.gateway().journal().runs(EnumSet.of(RunState.RUNNING), 10).stream()
        .flatMap(run -> world.gateway().journal().callsOf(run.id(), 10).stream())
        .filter(call -> call.tool().equals("heartbeat_forever"))
        .findFirst();
  }

  /** What is seen of the attempt that is going on, once it is stuck. */
  private static Optional<Pulse> stuck(World world) {
    return open(world).stream()
        .flatMap(call -> world.attempts(call).stream())
        .flatMap(attempt -> Stream.ofNullable(attempt.pulse()))
        .filter(pulse -> pulse.stuckSince() != null)
        .findFirst();
  }
}
