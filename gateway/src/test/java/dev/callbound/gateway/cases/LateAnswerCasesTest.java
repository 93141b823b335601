package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers to questions that nobody asks any more, and clients that leave before their answer. */
class LateAnswerCasesTest {
  @TempDir Path folder;

  /** How an answer comes. */
  enum Form {
    JSON(Way.HTTP),
    SSE(Way.HTTP),
    LINE(Way.STDIO);

    private final Way way;

    Form(Way way) {
      this.way = way;
    }

    String arguments(String others) {
      return this == LINE
          ? "{" + others + "}"
          : "{" + others + ",\"reply\":\"" + name().toLowerCase(Locale.ROOT) + "\"}";
    }
  }

  /** A late answer breaks the session for everything that comes after it. */
  @ParameterizedTest
  @EnumSource(Form.class)
  void anAnswerAfterTheDeadlineChangesNothingAndBreaksNothing(Form form) throws Exception {
    try (World world = World.of(folder, form.way, "deadline: 1s, attempts: 1", "")) {
      McpClient client = world.client();
      PendingCall read =
          client.begin("late_response", form.arguments("\"delay_ms\":2000,\"marker\":\"read\""));
      PendingCall write =
          client.begin(
              "write_slow",
              form.arguments("\"delay_ms\":2000,\"when\":\"before\",\"marker\":\"write\""));

      assertThat(World.outcome(read.await())).isEqualTo("stopped/deadline_exceeded");
      assertThat(World.outcome(write.await())).isEqualTo("unknown/timed_out");
      answered(world, 2, "late_response", "write_slow");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsMarked("read")).hasSize(1);
      assertThat(ledger.callsMarked("write")).hasSize(1);
      assertThat(ledger.effectsMarked("write")).hasSize(1);
      assertOneConversation(ledger);
      assertThat(World.outcome(world.recorded("late_response")))
          .isEqualTo("stopped/deadline_exceeded");
      // What the client could not be told has become known since.
      assertThat(Eventually.holds(() -> World.outcome(world.recorded("write_slow")).equals("ok")))
          .isTrue();
    }
  }

  /** Every late answer leaks an entry of a table, until there is no room for more. */
  @ParameterizedTest
  @EnumSource(Form.class)
  void twoHundredLateAnswersLeaveTheConnectionAsItWas(Form form) throws Exception {
    try (World world = World.of(folder, form.way, "deadline: 2s, attempts: 1", "")) {
      McpClient client = world.client();
      List<PendingCall> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        calls.add(client.begin("late_response", form.arguments("\"delay_ms\":4000")));
      }

      for (PendingCall call : calls) {
        assertThat(World.outcome(call.await())).isEqualTo("stopped/deadline_exceeded");
      }
      answered(world, 200, "late_response");
      PendingCall reads = client.begin("read_ok", "{\"text\":\"after them all\"}");
      assertThat(World.text(reads.await())).isEqualTo("after them all");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("late_response")).hasSize(200);
      assertOneConversation(ledger);
      assertThat(world.recorded("late_response", 200))
          .hasSize(200)
          .allMatch(call -> World.outcome(call).equals("stopped/deadline_exceeded"));
    }
  }

  /** Up to 2025-11-25 a client that goes away has not cancelled anything: it may come back. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aClientWithASessionThatLeavesDoesNotEndItsCalls(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 20s", "")) {
      McpClient client = world.client(Revision.V2025_11_25);
      leaveInTheMiddle(world, client);

      assertThat(World.outcome(world.recorded("read_slow"))).isEqualTo("ok");
      assertThat(World.outcome(world.recorded("write_slow"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("read_slow")).hasSize(1);
      assertThat(ledger.callsMarked("left")).hasSize(1);
      assertThat(ledger.effectsMarked("left")).hasSize(1);
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
    }
  }

  /** Since 2026-07-28 it has: the read stops, and what was written is still found out. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aClientWithoutASessionThatLeavesEndsItsReadsAndLeavesItsWritesToBeAnswered(Way way)
      throws Exception {
    try (World world = World.of(folder, way, "deadline: 20s", "")) {
      McpClient client = world.client(Revision.V2026_07_28);
      leaveInTheMiddle(world, client);

      CallRecord read = world.recorded("read_slow");
      assertThat(World.outcome(read)).isEqualTo("stopped/cancelled");
      assertThat(world.attempt(read).end().failure().detail()).contains("the client");
      assertThat(World.outcome(world.recorded("write_slow"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("read_slow")).hasSize(1);
      assertThat(ledger.callsMarked("left")).hasSize(1);
      assertThat(ledger.effectsMarked("left")).hasSize(1);
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
    }
  }

  private static void leaveInTheMiddle(World world, McpClient client) throws Exception {
    PendingCall read = client.begin("read_slow", "{\"delay_ms\":5000}");
    PendingCall write =
        client.begin("write_slow", "{\"delay_ms\":5000,\"when\":\"before\",\"marker\":\"left\"}");
    assertThat(
            Eventually.holds(
                () -> {
                  LedgerReport ledger = world.server().ledger();
                  return ledger.callsOf("read_slow").size() == 1
                      && ledger.callsOf("write_slow").size() == 1;
                }))
        .isTrue();
    read.hangUp();
    write.hangUp();
  }

  /** Waits until the server has answered these calls, wanted or not. */
  private static void answered(World world, int calls, String... tools) throws Exception {
    assertThat(
            Eventually.holds(
                Duration.ofSeconds(20),
                () ->
                    List.of(tools).stream()
                            .flatMap(tool -> world.server().ledger().callsOf(tool).stream())
                            .filter(call -> "ok".equals(call.outcome()))
                            .count()
                        == calls))
        .as("the late answers of %s", List.of(tools))
        .isTrue();
  }

  /** One process, and one session: nothing was begun anew. */
  private static void assertOneConversation(LedgerReport ledger) {
    assertThat(ledger.events("start")).hasSize(1);
    assertThat(ledger.events("initialize")).hasSize(1);
  }

  /** A read whose client has left is not tried again, however it ends. */
  @ParameterizedTest
  @CsvSource({"HTTP", "STDIO"})
  void nothingIsTriedAgainForAClientThatHasLeft(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 20s", "backoff: {base: 4s}")) {
      McpClient client = world.client(Revision.V2026_07_28);
      PendingCall read = client.begin("status_503", "{}");
      assertThat(Eventually.holds(() -> world.server().ledger().callsOf("status_503").size() == 1))
          .isTrue();
      read.hangUp();

      assertThat(World.outcome(world.recorded("status_503"))).isEqualTo("stopped/cancelled");
      assertThat(world.server().ledger().callsOf("status_503")).hasSize(1);
      JsonNode answer = client.call("read_ok", "{}");
      assertThat(World.outcome(answer)).isEqualTo("ok");
    }
  }
}
