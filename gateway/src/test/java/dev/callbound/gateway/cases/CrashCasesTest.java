package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway dies between a write and its answer; the client comes back and repeats the step. */
class CrashCasesTest {
  @TempDir Path folder;

  /** What is in doubt stays so: nothing is sent again. */
  @Test
  void anUnrecognisedWriteIsUnknownAfterTheCrash() throws Exception {
    crashed(
        "deadline: 30s",
        "write_then_hang",
        "{\"marker\":\"c15\"}",
        (again, ledger) -> {
          assertThat(World.outcome(again)).isEqualTo("unknown/worker_died");
          assertThat(ledger.effectsMarked("c15")).hasSize(1);
          assertThat(ledger.callsMarked("c15")).hasSize(1);
        });
  }

  /** A key asks the question, and gets the result of what was done. */
  @Test
  void aKeyedWriteIsTakenUpUnderItsKey() throws Exception {
    CallRecord record =
        crashed(
            "deadline: 30s, tools: {write_with_key: {recognise: {key: {argument: idempotency_key}}}}",
            "write_with_key",
            "{\"marker\":\"c15\",\"then\":\"hang\"}",
            (again, ledger) -> {
              assertThat(World.outcome(again)).isEqualTo("ok");
              assertThat(ledger.effectsMarked("c15")).hasSize(1);
              assertThat(ledger.callsMarked("c15")).hasSize(2);
              assertThat(
                      ledger.callsMarked("c15").stream()
                          .map(LedgerReport.Call::key)
                          .collect(Collectors.toSet()))
                  .hasSize(1);
            });
    assertThat(record.ending().attempts()).as("the one before the crash counts").isEqualTo(2);
  }

  /** A check finds what was done, and nothing is sent. */
  @Test
  void aCheckedWriteIsLookedForFirst() throws Exception {
    crashed(
        "deadline: 30s, tools: {write_then_hang: {recognise: {check: {tool: find_by_marker,"
            + " arguments: {marker: '{/marker}'}, found: {at: '/objects/*'}}}}}",
        "write_then_hang",
        "{\"marker\":\"c15\"}",
        (again, ledger) -> {
          assertThat(World.outcome(again)).isEqualTo("ok");
          assertThat(ledger.effectsMarked("c15")).hasSize(1);
          assertThat(ledger.callsOf("write_then_hang")).hasSize(1);
        });
  }

  /** What had surely not been done runs as if nothing had happened. */
  @Test
  void aWriteThatWasNotDoneRunsNormally() throws Exception {
    crashed(
        "deadline: 5s, call_deadline: 60s",
        "write_rejected",
        "{\"marker\":\"c15\",\"status\":429,\"retry_after\":30}",
        (again, ledger) -> {
          assertThat(World.outcome(again)).isEqualTo("ok");
          assertThat(ledger.effectsMarked("c15")).hasSize(1);
          assertThat(ledger.callsMarked("c15")).hasSize(2);
        });
  }

  /** What is to hold when the client has repeated its step. */
  private interface Expectation {
    void holds(JsonNode again, LedgerReport ledger);
  }

  private CallRecord crashed(String server, String tool, String arguments, Expectation expected)
      throws Exception {
    try (Faults faults = Faults.http(folder, "fault")) {
      Path config = World.file(folder, List.of(faults), server, "");
      McpRequest step =
          RepeatCasesTest.step(tool, arguments, "send").meta("dev.callbound/run", "\"night\"");
      try (GatewayProcess first = GatewayProcess.serve(folder, config)) {
        McpClient client = McpClient.http(first.url()).connect();
        client.begin(step);
        assertThat(Eventually.holds(() -> faults.ledger().callsMarked("c15").size() == 1)).isTrue();
        assertThat(
                Eventually.holds(
                    () -> faults.ledger().effectsMarked("c15").size() == 1 || endedOnDisk(tool)))
            .isTrue();
        first.kill();
      }
      try (GatewayProcess second = GatewayProcess.serve(folder, config)) {
        McpClient client = McpClient.http(second.url()).connect();
        JsonNode again = client.call(step);
        expected.holds(again, faults.ledger());
      }
    }
    return recorded(tool);
  }

  private boolean endedOnDisk(String tool) {
    try (JournalReader journal = SqliteJournal.openReadOnly(GatewayProcess.journal(folder))) {
      return journal.attemptsOf(recorded(tool).id()).stream()
          .anyMatch(attempt -> attempt.end() != null);
    }
  }

  private CallRecord recorded(String tool) {
    try (JournalReader journal = SqliteJournal.openReadOnly(GatewayProcess.journal(folder))) {
      return journal.runs(EnumSet.allOf(RunState.class), 10).stream()
          .flatMap(run -> journal.callsOf(run.id(), 10).stream())
          .filter(call -> call.tool().equals(tool))
          .findFirst()
          .orElseThrow();
    }
  }
}
