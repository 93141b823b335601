package dev.callbound.gateway.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.RawResponse;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.wire.HttpHeaders;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that wait for a person: nothing is sent before, and what is said counts once. */
class ApprovalCasesTest {
  private static final String WRITE = "{\"marker\":\"asked\",\"delay_ms\":1}";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void nothingIsSentBeforeAPersonHasSaidSo(Way way) throws Exception {
    try (World world = World.of(folder, way, "approve: required", "")) {
      McpClient client = world.client();
      JsonNode told = client.call("write_slow", WRITE);
      JsonNode facts = DetachCasesTest.facts(told);
      assertThat(World.text(told)).contains("has not been sent", "waits for a person");
      assertThat(facts.path("waits_for").asText()).isEqualTo("approval");
      assertThat(World.text(DetachCasesTest.await(client, facts, 1))).contains("has not been sent");
      ApprovalRecord waiting = waiting(world);
      assertThat(waiting.call()).isEqualTo(facts.path("call").asText());
      assertThat(waiting.arguments()).contains("\"marker\":\"asked\"", "write_slow");
      assertThat(waiting.masked()).isFalse();
      assertThat(world.server().ledger().callsMarked("asked")).isEmpty();

      JsonNode approved = rule(client, facts, "approve", "{\"note\":\"asked ana\"}", 200);
      assertThat(approved.path("approval").path("state").asText()).isEqualTo("approved");
      assertThat(World.outcome(DetachCasesTest.awaited(client, facts))).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("asked")).hasSize(1);
      assertThat(rule(client, facts, "deny", "{}", 409).path("error").path("code").asText())
          .isEqualTo("ruled");
    }
  }

  /** From another process, as from the command line: noticed within a second. */
  @Test
  void whatIsDeniedBesideTheGatewayIsNeverSent() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "approve: write_*", "")) {
      McpClient client = world.client();
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      JsonNode facts = DetachCasesTest.facts(client.call("write_slow", WRITE));
      String call = facts.path("call").asText();

      assertThat(ruleBeside(call, Ruling.Kind.DENIED, "not on a Friday"))
          .isEqualTo(Ruling.Result.RULED);
      JsonNode answer = DetachCasesTest.awaited(client, facts);
      assertThat(World.outcome(answer)).isEqualTo("stopped/denied");
      assertThat(World.text(answer)).contains("ben denied it: not on a Friday");
      assertThat(ruleBeside(call, Ruling.Kind.APPROVED, null))
          .isEqualTo(Ruling.Result.CONTRADICTED);
      assertThat(world.server().ledger().callsMarked("asked")).isEmpty();
    }
  }

  @Test
  void whatNobodyApprovesInTimeIsStopped() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "approve: destructive, approve_within: 1s", "")) {
      McpClient client = world.client();
      JsonNode facts = DetachCasesTest.facts(client.call("delete_thing", "{\"id\":\"7\"}"));

      JsonNode answer = DetachCasesTest.awaited(client, facts);
      assertThat(World.outcome(answer)).isEqualTo("stopped/deadline_exceeded");
      assertThat(World.text(answer)).contains("nobody approved it within 1 s");
      assertThat(rule(client, facts, "approve", "{}", 409).path("error").path("code").asText())
          .isEqualTo("too_late");
      assertThat(World.outcome(client.call("write_slow", WRITE)))
          .as("its server says that it destroys nothing")
          .isEqualTo("ok");
      assertThat(world.server().ledger().callsOf("delete_thing")).isEmpty();
    }
  }

  /** A restart is no answer: it waits on, and what was said meanwhile counts. */
  @Test
  void whatWaitsDoesSoAfterARestart() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "approve: required", "")) {
      McpClient client = world.client();
      JsonNode first = DetachCasesTest.facts(client.call("write_slow", WRITE));
      JsonNode second =
          DetachCasesTest.facts(client.call("write_slow", "{\"marker\":\"two\",\"delay_ms\":1}"));
      long before = System.nanoTime();
      world.restart();
      assertThat(System.nanoTime() - before)
          .as("a call that waits holds no stop up")
          .isLessThan(15_000_000_000L);

      McpClient again = world.client();
      assertThat(World.text(DetachCasesTest.await(again, first, 0))).contains("has not been sent");
      rule(again, first, "approve", "{}", 200);
      assertThat(World.outcome(DetachCasesTest.awaited(again, first))).isEqualTo("ok");
      rule(again, second, "deny", "{}", 200);
      assertThat(World.outcome(DetachCasesTest.awaited(again, second))).isEqualTo("stopped/denied");
      assertThat(world.server().ledger().effectsMarked("asked")).hasSize(1);
      assertThat(world.server().ledger().callsMarked("two")).isEmpty();
    }
  }

  /** The arguments that are shown are those that are sent, the gateway's own among them. */
  @Test
  void whatIsShownIsWhatIsSent() throws Exception {
    String bounds =
        "approve: required, mask: [marker], tools: {write_with_key:"
            + " {recognise: {key: {argument: idempotency_key}}}}";
    try (World world = World.of(folder, Way.HTTP, bounds, "")) {
      McpClient client = world.client();
      JsonNode facts =
          DetachCasesTest.facts(client.call("write_with_key", "{\"marker\":\"asked\"}"));
      ApprovalRecord waiting = waiting(world);
      assertThat(waiting.masked()).isTrue();
      assertThat(waiting.arguments()).contains("\"marker\":\"***\"", "idempotency_key");

      rule(client, facts, "approve", "", 200);
      assertThat(World.outcome(DetachCasesTest.awaited(client, facts))).isEqualTo("ok");
      String key = world.server().ledger().callsMarked("asked").getFirst().key();
      assertThat(waiting.arguments()).contains(key);
    }
  }

  /** A repeat joins what waits, and cancelling its run ends it. */
  @Test
  void aRepeatJoinsWhatWaitsAndTheRunEndsIt() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "approve: required", "")) {
      McpClient client = world.client(Revision.V2026_07_28);
      JsonNode run = world.openRun(client, "{\"name\":\"waits\"}");
      McpRequest write =
          McpRequest.call("write_slow", WRITE).header("Callbound-Run", run.path("id").asText());
      JsonNode facts = DetachCasesTest.facts(client.call(write));
      assertThat(DetachCasesTest.facts(client.call(write)).path("call"))
          .isEqualTo(facts.path("call"));

      world.cancelRun(client, run.path("id").asText());
      assertThat(World.outcome(DetachCasesTest.awaited(client, facts)))
          .isEqualTo("stopped/cancelled");
      assertThat(rule(client, facts, "approve", "{}", 409).path("error").path("code").asText())
          .isEqualTo("over");
    }
  }

  @Test
  void aPrincipalRulesOnItsOwnCallsAlone() throws Exception {
    String tokens =
        "listen: {tokens: [{principal: ana, token: aaaaaaaaaaaaaaaaaaaa},"
            + " {principal: ben, token: bbbbbbbbbbbbbbbbbbbb}]}";
    try (World world = World.of(folder, Way.HTTP, "approve: required", tokens)) {
      McpClient ana =
          world.connect(
              McpClient.http(world.gateway().url())
                  .header("Authorization", "Bearer aaaaaaaaaaaaaaaaaaaa"));
      McpClient ben =
          world.connect(
              McpClient.http(world.gateway().url())
                  .header("Authorization", "Bearer bbbbbbbbbbbbbbbbbbbb"));
      JsonNode facts = DetachCasesTest.facts(ana.call("write_slow", WRITE));

      rule(ben, "bbbbbbbbbbbbbbbbbbbb", facts, "approve", "{}", 404);
      assertThat(waiting(world).ruling()).isNull();
    }
  }

  private static ApprovalRecord waiting(World world) {
    return world.gateway().journal().tasks().waiting(10).getFirst();
  }

  private Ruling.Result ruleBeside(String call, Ruling.Kind kind, String note) {
    return SqliteJournal.ruleBeside(
        folder.resolve("callbound.db"), call, new Ruling(kind, Instant.now(), "ben", note));
  }

  private static JsonNode rule(
      McpClient client, JsonNode facts, String verb, String body, int status) {
    return rule(client, null, facts, verb, body, status);
  }

  private static JsonNode rule(
      McpClient client, String token, JsonNode facts, String verb, String body, int status) {
    HttpHeaders headers = HttpHeaders.of("Content-Type", "application/json");
    if (token != null) {
      headers.set("Authorization", "Bearer " + token);
    }
    RawResponse response =
        client.raw(
            "POST",
            "/v1/calls/" + facts.path("call").asText() + "/" + verb,
            headers,
            body.getBytes(UTF_8));
    assertThat(response.status()).as(response::text).isEqualTo(status);
    return response.json();
  }
}
