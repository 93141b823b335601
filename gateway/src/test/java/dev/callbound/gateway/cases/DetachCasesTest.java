package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.policy.Effect;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.Answer;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.wire.HttpHeaders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that take longer than any client waits: they go on, and their clients come back. */
class DetachCasesTest {
  private static final String SLOW = "{\"delay_ms\":3000}";

  @TempDir Path folder;

  /** The caller gives up while the work goes on; here it is told how to come back instead. */
  @ParameterizedTest
  @CsvSource({"HTTP, V2025_03_26", "HTTP, V2025_11_25", "STDIO, V2025_06_18", "HTTP, V2026_07_28"})
  void aSlowCallGoesOnAndItsResultIsTheToolsOwn(Way way, Revision revision) throws Exception {
    try (World world = World.of(folder, way, "detach_after: 700ms", "")) {
      McpClient client = world.client(revision);

      JsonNode told = client.call("read_slow", SLOW);
      JsonNode facts = facts(told);
      assertThat(facts.path("status").asText()).isEqualTo("working");
      assertThat(facts.path("attempt").asInt()).isEqualTo(1);
      assertThat(told.path("result").path("isError").asBoolean()).isFalse();
      assertThat(World.text(told)).contains("callbound_await", facts.path("call").asText());

      JsonNode early = await(client, facts, 0);
      assertThat(World.text(early)).contains("still working", "attempt 1 of 3");
      JsonNode result = awaited(client, facts);
      assertThat(World.outcome(result)).isEqualTo("ok");
      assertThat(World.text(result)).isEqualTo("slow but fine");
      assertThat(result.path("result").path("_meta").has("dev.callbound/outcome")).isFalse();
      assertThat(await(client, facts, 1).path("result")).isEqualTo(result.path("result"));
      assertThat(world.server().ledger().callsOf("read_slow")).hasSize(1);
      assertThat(world.gateway().journal().tasks().task(facts.path("call").asText()).orElseThrow())
          .satisfies(task -> assertThat(task.cancelledAt()).isNull());
    }
  }

  /** A write that is still under way does not end because its client does. */
  @ParameterizedTest
  @CsvSource({"V2025_11_25", "V2026_07_28"})
  void nobodysLeavingEndsACallThatSomebodyComesBackFor(Revision revision) throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 500ms", "")) {
      McpClient client = world.client(revision);
      JsonNode told = client.call("write_slow", "{\"delay_ms\":2500,\"marker\":\"left\"}");
      assertThat(told.path("result").path("resultType").asText())
          .isEqualTo(revision.hasSessions() ? "" : "complete");
      JsonNode facts = facts(told);
      if (revision.hasSessions()) {
        client.endSession();
      }
      client.disconnect();

      CallRecord call = world.recorded("write_slow");
      assertThat(call.id()).isEqualTo(facts.path("call").asText());
      assertThat(World.outcome(call)).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("left")).hasSize(1);
      assertThat(
              Eventually.holds(
                  () ->
                      revision == Revision.V2026_07_28
                          || !world
                              .gateway()
                              .journal()
                              .run(call.run())
                              .orElseThrow()
                              .state()
                              .code()
                              .equals("running")))
          .as("the run of a session that has ended ends when its last call has")
          .isTrue();
      JsonNode result = awaited(world.client(revision), facts);
      assertThat(World.outcome(result)).isEqualTo("ok");
    }
  }

  /** The same intent joins it as ever, and each client has its own patience. */
  @Test
  void whoAsksForTheSameJoinsAndIsLetGoInItsTurn() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 1s", "")) {
      McpClient first = world.client();
      McpClient second = world.client();
      JsonNode run = world.openRun(first, "{\"name\":\"joint\"}");
      McpRequest write =
          McpRequest.call("write_slow", "{\"delay_ms\":3500,\"marker\":\"joined\"}")
              .header("Callbound-Run", run.path("id").asText());
      PendingCall one = first.begin(write);
      assertThat(Eventually.holds(() -> world.begun("write_slow"))).isTrue();
      PendingCall other = second.begin(write);

      JsonNode facts = facts(one.await());
      assertThat(facts(other.await()).path("call")).isEqualTo(facts.path("call"));
      assertThat(World.outcome(awaited(second, facts))).isEqualTo("ok");
      assertThat(World.outcome(awaited(first, facts))).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("joined")).hasSize(1);
    }
  }

  /** What the tool said of itself, and what became of the call, is told to whoever comes back. */
  @Test
  void howItEndedIsToldWhateverItWas() throws Exception {
    String bounds = "detach_after: 300ms, deadline: 1500ms, attempts: 1, late_window: 0";
    try (World world = World.of(folder, Way.HTTP, bounds, "")) {
      McpClient client = world.client();
      JsonNode hanging = facts(client.call("write_then_hang", "{\"marker\":\"unknown\"}"));
      JsonNode reading = facts(client.call("read_hang", "{}"));
      JsonNode failing =
          facts(
              client.call(
                  "inject_read",
                  "{\"steps\":[{\"do\":\"sleep\",\"ms\":900},{\"do\":\"reply\",\"is_error\":true,\"text\":\"no\"}]}"));

      JsonNode unknown = awaited(client, hanging);
      assertThat(World.outcome(unknown)).isEqualTo("unknown/timed_out");
      assertThat(World.outcome(awaited(client, reading))).isEqualTo("stopped/deadline_exceeded");
      assertThat(World.outcome(awaited(client, failing))).isEqualTo("stopped/tool_error");
      assertThat(await(client, hanging, 0).path("result").path("content"))
          .isEqualTo(unknown.path("result").path("content"));
    }
  }

  /** Somebody else's call is none, and nothing of it is told. */
  @Test
  void aCallIsAwaitedByItsPrincipalAlone() throws Exception {
    String tokens =
        "listen: {tokens: [{principal: ana, token: aaaaaaaaaaaaaaaaaaaa},"
            + " {principal: ben, token: bbbbbbbbbbbbbbbbbbbb}]}";
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", tokens)) {
      McpClient ana = client(world, "aaaaaaaaaaaaaaaaaaaa");
      McpClient ben = client(world, "bbbbbbbbbbbbbbbbbbbb");
      JsonNode facts = facts(ana.call("read_slow", "{\"delay_ms\":1000}"));

      assertThat(World.text(await(ben, facts, 5))).startsWith("There is no call");
      JsonNode nothing = new ObjectMapper().createObjectNode().put("call", "c_none");
      assertThat(World.text(await(ben, facts, 0)).replace(facts.path("call").asText(), "c_none"))
          .isEqualTo(World.text(await(ben, nothing, 0)));
      assertThat(World.text(awaited(ana, facts))).isEqualTo("slow but fine");
    }
  }

  /** What is asked wrongly is told to the model, which can put it right. */
  @Test
  void whatNobodyCanWaitForIsAMistake() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", "")) {
      McpClient client = world.client();
      JsonNode facts = facts(client.call("read_slow", "{\"delay_ms\":1200}"));
      String call = facts.path("call").asText();

      for (String wait : List.of("-1", "46", "1e30", "9223372036854775808", "1.5", "\"5\"", "{}")) {
        JsonNode answer =
            client.call("callbound_await", "{\"call\":\"%s\",\"wait\":%s}".formatted(call, wait));
        assertThat(answer.path("result").path("isError").asBoolean()).as(wait).isTrue();
        assertThat(World.text(answer)).contains("a whole number of seconds from 0 to 45");
      }
      for (String id : List.of(call.substring(0, 12), "c_none", "", "x".repeat(10_000))) {
        JsonNode answer = client.call("callbound_await", "{\"call\":\"" + id + "\"}");
        assertThat(answer.path("result").path("isError").asBoolean()).as(id).isTrue();
        assertThat(World.text(answer))
            .contains("There is no call", "whole id")
            .hasSizeLessThan(200);
      }
      assertThat(World.text(client.call("callbound_await", "{}"))).contains("the call's id");
      assertThat(World.text(await(client, facts, 0))).contains("still working");
      assertThat(World.text(awaited(client, facts))).isEqualTo("slow but fine");
    }
  }

  /** Progress and attempts are told while it works, each with its age. */
  @Test
  void howItStandsIsToldWhileItWorks() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 300ms", "")) {
      McpClient client = world.client();
      JsonNode facts = facts(client.call("slow_progress", "{\"every_ms\":300,\"count\":30}"));

      assertThat(
              Eventually.holds(() -> World.text(await(client, facts, 0)).contains("last progress")))
          .isTrue();
      JsonNode told = await(client, facts, 0);
      assertThat(facts(told).path("attempt_age_ms").asLong()).isGreaterThanOrEqualTo(200);
      assertThat(facts(told).path("last_progress_age_ms").asLong()).isLessThan(5_000);
      assertThat(World.outcome(awaited(client, facts))).isEqualTo("ok");
    }
  }

  /** A question that comes when nobody waits is asked when somebody does. */
  @Test
  void aQuestionWaitsForTheClientToComeBack() throws Exception {
    String bounds = "detach_after: 300ms, deadline: 20s";
    try (World world = World.of(folder, Way.HTTP, bounds, "")) {
      McpClient client =
          world.connect(
              McpClient.http(world.gateway().url())
                  .capabilities("{\"elicitation\":{}}")
                  .onRequest(
                      (method, params) ->
                          new Answer.Result(
                              new ObjectMapper().createObjectNode().put("action", "accept"))));
      JsonNode facts =
          facts(
              client.call(
                  "inject_read",
                  "{\"steps\":[{\"do\":\"sleep\",\"ms\":1200},{\"do\":\"ask\",\"method\":\"elicitation/create\","
                      + "\"params\":{\"message\":\"on?\"},\"timeout_ms\":15000}]}"));

      assertThat(World.outcome(awaited(client, facts))).isEqualTo("ok");
    }
  }

  /** After a restart everything is as it was: what has ended is told, what was open goes on. */
  @Test
  void aRestartChangesNothingForWhoComesBack() throws Exception {
    String bounds =
        "detach_after: 300ms, tools: {write_with_key:"
            + " {recognise: {key: {argument: idempotency_key}}}}";
    try (World world = World.of(folder, Way.HTTP, bounds, "listen: {shutdown_grace: 0s}")) {
      McpClient client = world.client(Revision.V2026_07_28);
      JsonNode ended = facts(client.call("read_slow", "{\"delay_ms\":600}"));
      JsonNode before = awaited(client, ended);
      JsonNode read = facts(client.call("read_slow", SLOW));
      JsonNode keyed =
          facts(client.call("write_with_key", "{\"marker\":\"kept\",\"delay_ms\":2500}"));
      world.restart();

      McpClient again = world.client(Revision.V2026_07_28);
      assertThat(await(again, ended, 0).path("result")).isEqualTo(before.path("result"));
      assertThat(World.text(awaited(again, read))).isEqualTo("slow but fine");
      assertThat(World.outcome(awaited(again, keyed))).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("kept")).hasSize(1);
      assertThat(world.server().ledger().callsOf("read_slow")).hasSize(3);
      assertThat(world.recorded("read_slow", 2))
          .allMatch(call -> call.effect() == Effect.READ && World.outcome(call).equals("ok"));
    }
  }

  /**
   * A step that is longer than any request: the client that submitted it is gone, its program is
   * given the run's id and polls, and the second submission builds no second one.
   */
  @Test
  void aStepLongerThanAnyRequestIsFoundByItsRun() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "detach_after: 500ms", "")) {
      McpClient first = world.client(Revision.V2026_07_28);
      String run = world.openRun(first, "{\"name\":\"nightly\"}").path("id").asText();
      McpRequest step =
          McpRequest.call("write_slow", "{\"delay_ms\":3000,\"marker\":\"c08\"}")
              .header("Callbound-Run", run)
              .header("Callbound-Step", "build");
      JsonNode facts = facts(first.call(step));
      first.disconnect();

      McpClient second = world.client(Revision.V2026_07_28);
      JsonNode again = facts(second.call(step));
      assertThat(again.path("call")).isEqualTo(facts.path("call"));
      String call = "/v1/calls/" + facts.path("call").asText();
      assertThat(Eventually.holds(() -> get(second, call).path("status").asText().equals("ok")))
          .isTrue();
      assertThat(get(second, call).path("run").asText()).isEqualTo(run);
      assertThat(get(second, "/v1/runs/" + run).path("calls").asInt()).isEqualTo(1);
      JsonNode replayed = second.call(step);
      assertThat(replayed.path("result").path("isError").asBoolean()).isFalse();
      assertThat(facts(replayed).path("replayed").asBoolean()).isTrue();
      assertThat(world.server().ledger().effectsMarked("c08")).hasSize(1);
      assertThat(world.server().ledger().callsMarked("c08")).hasSize(1);
      String id = facts.path("call").asText();
      assertThat(Eventually.holds(() -> world.gateway().journal().repeatsOf(id).size() == 2))
          .isTrue();
      assertThat(world.gateway().journal().repeatsOf(id))
          .extracting(RepeatRecord::kind)
          .containsExactly(RepeatRecord.Kind.JOINED, RepeatRecord.Kind.REPLAYED);
    }
  }

  private static JsonNode get(McpClient client, String path) {
    return client.raw("GET", path, new HttpHeaders(), new byte[0]).json();
  }

  /** The same at the scale of the field: clients that give up after a minute. */
  @Tag("slow")
  @Test
  void aCallOfTwoMinutesIsLeftToEnd() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 3m", "")) {
      McpClient client = world.client();
      JsonNode facts = facts(client.call("read_slow", "{\"delay_ms\":120000}"));
      assertThat(facts.path("age_ms").asLong()).isBetween(49_000L, 55_000L);

      assertThat(World.text(awaited(client, facts))).isEqualTo("slow but fine");
      assertThat(world.server().ledger().callsOf("read_slow")).hasSize(1);
    }
  }

  private static McpClient client(World world, String token) throws Exception {
    return world.connect(
        McpClient.http(world.gateway().url()).header("Authorization", "Bearer " + token));
  }

  static JsonNode facts(JsonNode response) {
    JsonNode facts = response.path("result").path("_meta").path("dev.callbound/outcome");
    assertThat(facts.isObject()).as("facts of %s", response).isTrue();
    return facts;
  }

  /** What callbound_await says. */
  static JsonNode await(McpClient client, JsonNode facts, int seconds) throws Exception {
    return client.call(
        "callbound_await",
        "{\"call\":\"%s\",\"wait\":%d}".formatted(facts.path("call").asText(), seconds));
  }

  /** What it says once the call has ended. */
  static JsonNode awaited(McpClient client, JsonNode facts) throws Exception {
    List<String> told = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      JsonNode response = await(client, facts, 20);
      JsonNode status =
          response.path("result").path("_meta").path("dev.callbound/outcome").path("status");
      if (!status.asText().equals("working") && !World.text(response).contains("about to go on")) {
        return response;
      }
      told.add(World.text(response));
    }
    throw new AssertionError("it never ended: " + told);
  }
}
