package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.policy.Attempt;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that need their time, and calls that only seem to. */
class PatienceCasesTest {
  @TempDir Path folder;

  /** A tool that honestly needs longer than the rest dies by the limit of somebody's default. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void theDeadlineOfAToolCountsInPlaceOfTheGeneralOne(Way way) throws Exception {
    String bounds = "deadline: 1s, tools: {read_slow: {deadline: 4s}, write_slow: {deadline: 4s}}";
    try (World world = World.of(folder, way, bounds, "")) {
      McpClient client = world.client();
      PendingCall read = client.begin("read_slow", "{\"delay_ms\":2500}");
      PendingCall write = client.begin("write_slow", "{\"delay_ms\":2500,\"marker\":\"slow\"}");

      assertThat(World.outcome(read.await())).isEqualTo("ok");
      assertThat(World.outcome(write.await())).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("read_slow")).hasSize(1);
      assertThat(ledger.callsMarked("slow")).hasSize(1);
      assertThat(ledger.effectsMarked("slow")).hasSize(1);
      AttemptRecord attempt = world.attempt(world.recorded("read_slow"));
      assertThat(attempt.timeout()).isEqualTo(Duration.ofSeconds(4));
      assertThat(attempt.limitedBy()).isEqualTo(Attempt.Limit.TOOL);
      assertThat(attempt.end().waited()).isGreaterThanOrEqualTo(Duration.ofMillis(2_490));
    }
  }

  /** The same tool, when its run has less time left than the tool may take. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void theEndOfTheRunCutsTheDeadlineOfATool(Way way) throws Exception {
    String bounds = "deadline: 1s, tools: {read_slow: {deadline: 4s}, write_slow: {deadline: 4s}}";
    try (World world = World.of(folder, way, bounds, "")) {
      McpClient client = world.client();
      long opened = System.nanoTime();
      JsonNode run = world.openRun(client, "{\"deadline\":\"1.5s\"}");
      String id = run.path("id").asText();
      PendingCall read =
          client.begin(
              McpRequest.call("read_slow", "{\"delay_ms\":2500}").header("Callbound-Run", id));
      PendingCall write =
          client.begin(
              McpRequest.call("write_slow", "{\"delay_ms\":2500,\"marker\":\"cut\"}")
                  .header("Callbound-Run", id));

      JsonNode answer = read.await();
      assertThat(World.outcome(answer)).isEqualTo("stopped/deadline_exceeded");
      assertThat(World.outcome(write.await())).isEqualTo("unknown/timed_out");
      assertThat(Duration.ofNanos(System.nanoTime() - opened))
          .isGreaterThanOrEqualTo(Duration.ofMillis(1_490));
      assertThat(World.facts(answer).path("attempts").asInt()).isEqualTo(1);
      for (String tool : List.of("read_slow", "write_slow")) {
        assertThat(world.server().ledger().callsOf(tool)).hasSize(1);
        AttemptRecord attempt = world.attempt(world.recorded(tool));
        assertThat(attempt.limitedBy()).isEqualTo(Attempt.Limit.RUN);
        assertThat(attempt.timeout()).isLessThanOrEqualTo(Duration.ofMillis(1_500));
        assertThat(attempt.end().failure().kind()).isEqualTo("timed_out");
      }
    }
  }

  /** The same at the scale of the field, where every library's default of a minute has passed. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Way.class)
  void aCallOfMoreThanAMinuteIsLeftToEnd(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 90s, detach_after: off", "")) {
      McpClient client =
          world.connect(McpClient.http(world.gateway().url()).timeout(Duration.ofSeconds(100)));

      assertThat(World.outcome(client.call("read_slow", "{\"delay_ms\":70000}"))).isEqualTo("ok");
      assertThat(world.server().ledger().callsOf("read_slow")).hasSize(1);
      assertThat(world.attempt(world.recorded("read_slow")).end().waited())
          .isGreaterThanOrEqualTo(Duration.ofSeconds(70));
    }
  }

  /** A tool reports progress every moment, and is cut as idle all the same. */
  @ParameterizedTest
  @CsvSource({"HTTP, V2025_03_26", "STDIO, V2025_11_25", "HTTP, V2026_07_28"})
  void aToolThatReportsProgressIsLeftToWorkWhetherTheClientListensOrNot(Way way, Revision revision)
      throws Exception {
    try (World world = World.of(folder, way, "stall: 2s, deadline: 15s", "")) {
      McpClient client = world.client(revision);
      PendingCall asking =
          client.begin(
              McpRequest.call(
                      "slow_progress", "{\"every_ms\":400,\"count\":8,\"marker\":\"asking\"}")
                  .progressToken("mine"));
      PendingCall silent =
          client.begin("slow_progress", "{\"every_ms\":400,\"count\":8,\"marker\":\"silent\"}");

      assertThat(World.outcome(asking.await())).isEqualTo("ok");
      assertThat(World.outcome(silent.await())).isEqualTo("ok");
      List<LedgerReport.Call> calls = world.server().ledger().callsOf("slow_progress");
      assertThat(calls).hasSize(2);
      assertThat(calls).noneMatch(call -> call.progressToken().isMissingNode());
      assertThat(client.notifications("notifications/progress"))
          .extracting(told -> told.path("params").path("progressToken").asText())
          .hasSize(8)
          .containsOnly("mine");
      for (CallRecord call : world.recorded("slow_progress", 2)) {
        AttemptEnd end = world.attempt(call).end();
        assertThat(end.waited()).isGreaterThan(Duration.ofSeconds(2));
        assertThat(end.evidence().progressCount()).isEqualTo(8);
        assertThat(end.evidence().lastProgressAge()).isBetween(Duration.ZERO, end.waited());
      }
    }
  }

  /** Progress without end keeps every idle timer happy while the call gets nowhere. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void endlessProgressDoesNotExtendTheDeadline(Way way) throws Exception {
    try (World world = World.of(folder, way, "stall: 1500ms, deadline: 2s, attempts: 2", "")) {
      JsonNode answer = world.client().call("progress_forever", "{\"every_ms\":100}");

      assertThat(World.outcome(answer)).isEqualTo("stopped/retries_exhausted");
      assertThat(world.server().ledger().callsOf("progress_forever")).hasSize(2);
      List<AttemptRecord> attempts = world.attempts(world.recorded("progress_forever"));
      assertThat(attempts).hasSize(2);
      for (AttemptRecord attempt : attempts) {
        AttemptEnd end = attempt.end();
        assertThat(end.failure().detail()).startsWith("no answer within");
        assertThat(end.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(1_990));
        assertThat(end.evidence().progressCount()).isGreaterThan(3);
        assertThat(end.evidence().lastProgressAge()).isLessThan(Duration.ofSeconds(3));
      }
    }
  }

  /** Comments, log lines and pings show that the server lives, and nothing about the call. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void signsOfLifeAreNotProgress(Way way) throws Exception {
    try (World world = World.of(folder, way, "stall: 1s, deadline: 30s, attempts: 1", "")) {
      McpClient client = world.client();
      List<PendingCall> calls = new ArrayList<>();
      for (String sign : List.of("comment", "log", "ping")) {
        calls.add(
            client.begin("heartbeat_forever", "{\"every_ms\":100,\"as\":\"%s\"}".formatted(sign)));
      }

      for (PendingCall call : calls) {
        assertThat(World.outcome(call.await())).isEqualTo("stopped/deadline_exceeded");
      }
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("heartbeat_forever")).hasSize(3);
      assertThat(ledger.events("answer"))
          .isNotEmpty()
          .allMatch(event -> event.fields().path("method").asText().equals("ping"))
          .noneMatch(event -> event.fields().hasNonNull("error"));
      for (CallRecord call : world.recorded("heartbeat_forever", 3)) {
        AttemptEnd end = world.attempt(call).end();
        assertThat(end.failure().detail()).startsWith("no progress for too long");
        assertThat(end.waited()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(20));
        assertThat(end.evidence().progressCount()).isZero();
        assertThat(end.evidence().lastProgressAge()).isNull();
        assertThat(end.evidence().signsOfLife()).isGreaterThan(3);
      }
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
    }
  }
}
