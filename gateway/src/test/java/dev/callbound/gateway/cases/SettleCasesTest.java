package dev.callbound.gateway.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.SettledBy;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.RawResponse;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.wire.HttpHeaders;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An unknown does not stay one for longer than it must. */
class SettleCasesTest {
  @TempDir Path folder;

  /** The answer arrives after we stopped listening: it tells what became of the write. */
  @ParameterizedTest
  @CsvSource({"HTTP, json", "HTTP, sse", "STDIO, json"})
  void aLateAnswerSettlesTheWrite(Way way, String reply) throws Exception {
    try (World world = World.of(folder, way, "deadline: 500ms", "")) {
      McpClient client = world.client();
      String arguments =
          "{\"marker\":\"c10\",\"when\":\"before\",\"delay_ms\":1500%s}"
              .formatted(way == Way.STDIO ? "" : ",\"reply\":\"" + reply + "\"");

      JsonNode first = client.call(RepeatCasesTest.step("write_slow", arguments, "s"));
      assertThat(World.outcome(first)).isEqualTo("unknown/timed_out");
      CallRecord record = settled(world, "write_slow");
      JsonNode again = client.call(RepeatCasesTest.step("write_slow", arguments, "s"));

      assertThat(record.ending().status()).isEqualTo(Ending.Status.OK);
      assertThat(record.settled().by()).isEqualTo(SettledBy.LATE_ANSWER);
      assertThat(record.ending().detail()).contains("late answer", " ms");
      assertThat(World.outcome(again)).isEqualTo("ok");
      assertThat(World.text(again))
          .contains(world.server().ledger().effectsMarked("c10").getFirst().object());
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("c10")).hasSize(1);
      assertThat(ledger.callsOf("write_slow")).hasSize(1);
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
    }
  }

  /** So it does when the client has long gone. */
  @Test
  void aLateAnswerSettlesTheWriteOfAClientThatLeft() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 1s", "")) {
      McpClient client = world.client(Revision.V2026_07_28);
      PendingCall call =
          client.begin("write_slow", "{\"marker\":\"c10\",\"when\":\"before\",\"delay_ms\":2500}");
      assertThat(Eventually.holds(() -> world.begun("write_slow"))).isTrue();
      call.hangUp();

      CallRecord record = settled(world, "write_slow");
      assertThat(record.ending().status()).isEqualTo(Ending.Status.OK);
      assertThat(world.server().ledger().callsOf("write_slow")).hasSize(1);
    }
  }

  /** A late error of the tool's own is an answer too. */
  @Test
  void aLateErrorOfTheToolsOwnSettlesTheWriteAsStopped() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 500ms", "")) {
      world
          .client()
          .call(
              "inject_write",
              "{\"steps\":[{\"do\":\"sleep\",\"ms\":1500},"
                  + "{\"do\":\"reply\",\"is_error\":true,\"text\":\"no such file\"}]}");

      CallRecord record = settled(world, "inject_write");
      assertThat(World.outcome(record)).isEqualTo("stopped/tool_error");
    }
  }

  /** Without a window the attempt is cancelled at its deadline. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void withoutALateWindowTheAttemptIsCancelled(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 500ms, late_window: 0s", "")) {
      world
          .client()
          .call(
              "write_slow",
              "{\"marker\":\"c21\",\"when\":\"after\",\"delay_ms\":2000,\"honor_cancel\":true}");

      assertThat(Eventually.holds(() -> !world.server().ledger().events("cancel").isEmpty()))
          .isTrue();
      assertThat(world.server().ledger().effectsMarked("c21")).isEmpty();
    }
  }

  /** An index that lags shows nothing at first: the check is tried again until it does. */
  @Test
  void aCheckThatFailedIsTriedAgainUntilItTells() throws Exception {
    String server =
        "deadline: 500ms, tools: {write_then_hang: {recognise: {check: {tool: flaky_find,"
            + " arguments: {marker: '{/marker}'}, found: {at: '/objects/*'}, attempts: 1}}}}";
    server = server.replace("flaky_find", "find_by_marker");
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      McpClient client = world.client();
      world
          .server()
          .control(
              "{\"faults\":[{\"match\":\"tools/call:find_by_marker\",\"times\":2,"
                  + "\"steps\":[{\"do\":\"status\",\"status\":500}]}]}");

      JsonNode first = client.call("write_then_hang", "{\"marker\":\"lag\"}");

      assertThat(World.outcome(first)).isEqualTo("unknown/check_failed");
      CallRecord record = settled(world, "write_then_hang");
      assertThat(record.ending().status()).isEqualTo(Ending.Status.OK);
      assertThat(record.settled().by()).isEqualTo(SettledBy.CHECK);
      assertThat(world.server().ledger().callsOf("write_then_hang")).hasSize(1);
    }
  }

  /** Absence in an index that lags counts late, and twice. */
  @Test
  void absenceInAnIndexThatLagsCountsOnlyWhenItHasSettled() throws Exception {
    String server =
        "deadline: 500ms, tools: {write_then_hang: {recognise: {check: {tool: find_by_marker,"
            + " arguments: {marker: '{/marker}', lag_ms: 1000}, found: {at: '/objects/*'},"
            + " settles_after: 2s}}}}";
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      JsonNode answer = world.client().call("write_then_hang", "{\"marker\":\"lag\"}");

      assertThat(World.outcome(answer)).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("lag")).hasSize(1);
      assertThat(ledger.callsOf("write_then_hang")).hasSize(1);
    }
  }

  /** A check that names a tool which writes is never called. */
  @Test
  void aCheckThatWritesIsNotCalled() throws Exception {
    String server =
        "deadline: 500ms, tools: {write_then_hang: {recognise: {check: {tool: write_ok,"
            + " arguments: {marker: '{/marker}'}, found: {at: '/x'}}}}}";
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      JsonNode answer = world.client().call("write_then_hang", "{\"marker\":\"w\"}");

      assertThat(World.outcome(answer)).isEqualTo("unknown/check_failed");
      assertThat(World.text(answer)).contains("writes");
      assertThat(world.server().ledger().callsOf("write_ok")).isEmpty();
    }
  }

  /** A person says what happened, over HTTP. */
  @ParameterizedTest
  @CsvSource({"true, ok", "false, stopped"})
  void aPersonSettlesACall(boolean landed, String status) throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 500ms, late_window: 0s", "")) {
      McpClient client = world.client();
      JsonNode first =
          client.call(RepeatCasesTest.step("write_then_hang", "{\"marker\":\"p\"}", "s"));
      String call = World.facts(first).path("call").asText();

      JsonNode told =
          post(client, call, "{\"landed\":%s,\"note\":\"I looked\"}".formatted(landed)).json();
      RawResponse contradicts = post(client, call, "{\"landed\":%s}".formatted(!landed));
      JsonNode again =
          client.call(RepeatCasesTest.step("write_then_hang", "{\"marker\":\"p\"}", "s"));

      assertThat(told.path("status").asText()).isEqualTo(status);
      assertThat(told.path("settled").path("by").asText()).isEqualTo("person");
      assertThat(told.path("settled").path("note").asText()).isEqualTo("I looked");
      assertThat(contradicts.status()).isEqualTo(409);
      assertThat(World.outcome(again)).isEqualTo("ok");
      assertThat(world.server().ledger().callsOf("write_then_hang")).hasSize(landed ? 1 : 2);
      assertThat(post(client, "c_01kb0000000000000000000000", "{}").status()).isEqualTo(404);
      assertThat(post(client, call, "{\"landed\":\"yes\"}").status()).isEqualTo(400);
    }
  }

  /** A model settles a call only where the configuration lets it. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aModelSettlesACallWhereItMay(boolean may) throws Exception {
    try (World world =
        World.of(folder, Way.HTTP, "deadline: 500ms, late_window: 0s", "settle_by_model: " + may)) {
      McpClient client = world.client();
      JsonNode first = client.call("write_then_hang", "{\"marker\":\"m\"}");
      String call = World.facts(first).path("call").asText();

      boolean listed =
          client.request("tools/list", "{}").toString().contains("\"callbound_outcome\"");
      JsonNode said =
          client.call("callbound_outcome", "{\"call\":\"%s\",\"landed\":true}".formatted(call));

      assertThat(listed).isEqualTo(may);
      CallRecord record = world.recorded("write_then_hang");
      if (may) {
        assertThat(World.text(said)).contains("took effect");
        assertThat(record.settled().by()).isEqualTo(SettledBy.MODEL);
      } else {
        assertThat(World.outcome(said)).startsWith("error/");
        assertThat(record.settled()).isNull();
      }
    }
  }

  private static RawResponse post(McpClient client, String call, String json) {
    return client.raw(
        "POST",
        "/v1/calls/" + call + "/settle",
        HttpHeaders.of("Content-Type", "application/json"),
        json.getBytes(UTF_8));
  }

  private static CallRecord settled(World world, String tool) throws Exception {
    assertThat(Eventually.holds(() -> world.recorded(tool).settled() != null))
        .as("settled")
        .isTrue();
    return world.recorded(tool);
  }
}
