package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same intent again: while the first is under way, and after it has ended. */
class RepeatCasesTest {
  /** Looks for the effect with the call's own marker: what is found is one, or none. */
  private static final String FINDER =
      "recognise: {check: {tool: find_by_marker, arguments: {marker: '{/marker}'},"
          + " found: {at: '/objects/*'}}}";

  @TempDir Path folder;

  static McpRequest step(String tool, String arguments, String step) {
    return McpRequest.call(tool, arguments).meta("dev.callbound/step", '"' + step + '"');
  }

  /** The second submission builds a second one. Without a check the repeat gets what is known. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aRepeatOfAnUnknownWriteIsToldSoAndNothingIsSent(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 1s, late_window: 0s", "")) {
      McpClient client = world.client();
      JsonNode first = client.call("write_then_hang", "{\"marker\":\"c08\"}");
      assertThat(World.outcome(first)).isEqualTo("unknown/timed_out");

      JsonNode second = client.call("write_then_hang", "{\"marker\":\"c08\"}");

      assertThat(World.outcome(second)).isEqualTo("unknown/timed_out");
      assertThat(World.facts(second).path("call")).isEqualTo(World.facts(first).path("call"));
      assertThat(World.text(second)).contains("Nothing was sent", "still unknown");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("c08")).hasSize(1);
      assertThat(ledger.callsOf("write_then_hang")).hasSize(1);
      CallRecord record = world.recorded("write_then_hang", 1).getFirst();
      assertThat(repeats(world, record)).containsExactly(RepeatRecord.Kind.TOLD);
    }
  }

  /** With a check the effect is found, in the call itself. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aWriteWhoseEffectIsFoundIsOk(Way way) throws Exception {
    String server = "deadline: 1s, tools: {write_then_hang: {" + FINDER + "}}";
    try (World world = World.of(folder, way, server, "")) {
      McpClient client = world.client();

      JsonNode first = client.call(step("write_then_hang", "{\"marker\":\"c08\"}", "build"));
      JsonNode second = client.call(step("write_then_hang", "{\"marker\":\"c08\"}", "build"));

      assertThat(World.outcome(first)).isEqualTo("ok");
      assertThat(World.text(second)).isEqualTo(World.text(first));
      assertThat(replayed(second)).isTrue();
      LedgerReport ledger = world.server().ledger();
      assertThat(World.text(first)).contains(ledger.effectsMarked("c08").getFirst().object());
      assertThat(ledger.effectsMarked("c08")).hasSize(1);
      assertThat(ledger.callsOf("write_then_hang")).hasSize(1);
      CallRecord record = world.recorded("write_then_hang");
      assertThat(world.attempt(record).end().decision().why()).contains("check found the effect");
      assertThat(repeats(world, record)).containsExactly(RepeatRecord.Kind.REPLAYED);
    }
  }

  /** With a check that finds nothing the write is sent once more. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aWriteWhoseEffectIsNotThereIsSentAgain(Way way) throws Exception {
    String server = "deadline: 1s, tools: {hang_before_write: {" + FINDER + "}}";
    try (World world = World.of(folder, way, server, "")) {
      McpClient client = world.client();

      assertThat(World.outcome(client.call("hang_before_write", "{\"marker\":\"c08\"}")))
          .isEqualTo("ok");

      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("c08")).hasSize(1);
      assertThat(ledger.callsOf("hang_before_write")).hasSize(2);
    }
  }

  /** A client that asks again while the first is under way waits with it. */
  @ParameterizedTest
  @EnumSource(Revision.class)
  void aRepeatWhileTheFirstIsUnderWayJoinsIt(Revision revision) throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 20s", "")) {
      McpClient client = world.client(revision);
      String arguments = "{\"marker\":\"c16\",\"delay_ms\":1500,\"when\":\"before\"}";
      PendingCall first = client.begin(step("write_slow", arguments, "one"));
      begun(world);
      PendingCall second = client.begin(step("write_slow", arguments, "one"));

      assertThat(World.text(second.await())).isEqualTo(World.text(first.await()));
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("c16")).hasSize(1);
      assertThat(ledger.callsOf("write_slow")).hasSize(1);
      assertThat(repeats(world, world.recorded("write_slow")))
          .containsExactly(RepeatRecord.Kind.JOINED);
    }
  }

  /** One that leaves ends nothing for the others. */
  @Test
  void aWaiterThatLeavesEndsNeitherTheCallNorTheOthers() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 20s", "")) {
      McpClient client = world.client(Revision.V2026_07_28);
      String arguments = "{\"marker\":\"c16\",\"delay_ms\":2500,\"when\":\"after\"}";
      PendingCall first = client.begin(step("write_slow", arguments, "one"));
      begun(world);
      PendingCall second = client.begin(step("write_slow", arguments, "one"));
      first.hangUp();

      assertThat(World.outcome(second.await())).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("c16")).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aStepThatSucceededIsAnsweredFromTheRecord(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 5s", "")) {
      McpClient client = world.client();
      JsonNode first = client.call(step("write_ok", "{\"marker\":\"c16\",\"text\":\"é\"}", "s"));
      JsonNode second = client.call(step("write_ok", "{\"text\":\"é\",\"marker\":\"c16\"}", "s"));

      assertThat(second.path("result").path("content"))
          .isEqualTo(first.path("result").path("content"));
      assertThat(replayed(first)).isFalse();
      assertThat(replayed(second)).isTrue();
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("c16")).hasSize(1);
      assertThat(ledger.callsOf("write_ok")).hasSize(1);
    }
  }

  @Test
  void aStepThatSucceededIsAnsweredFromTheRecordAfterARestart() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 5s", "")) {
      JsonNode first =
          world
              .client()
              .call(
                  step("write_ok", "{\"marker\":\"c16\"}", "s")
                      .meta("dev.callbound/run", "\"night\""));
      world.restart();
      JsonNode second =
          world
              .client()
              .call(
                  step("write_ok", "{\"marker\":\"c16\"}", "s")
                      .meta("dev.callbound/run", "\"night\""));

      assertThat(World.text(second)).isEqualTo(World.text(first));
      assertThat(world.server().ledger().effectsMarked("c16")).hasSize(1);
    }
  }

  /** Without a step and without recognition the same call is meant anew. */
  @Test
  void theSameCallWithoutAStepIsANewOneOnceTheFirstHasSucceeded() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 5s", "")) {
      McpClient client = world.client();
      client.call("write_ok", "{\"marker\":\"twice\"}");
      client.call("write_ok", "{\"marker\":\"twice\"}");

      assertThat(world.server().ledger().effectsMarked("twice")).hasSize(2);
    }
  }

  @Test
  void twentyStepsDoNotWaitForOneAnother() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 20s", "")) {
      McpClient client = world.client();
      List<PendingCall> calls = new ArrayList<>();
      long begun = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        calls.add(
            client.begin(
                step("write_slow", "{\"marker\":\"c16\",\"delay_ms\":1000}", "step " + i)));
      }
      for (PendingCall call : calls) {
        assertThat(World.outcome(call.await())).isEqualTo("ok");
      }

      assertThat(world.server().ledger().effectsMarked("c16")).hasSize(20);
      assertThat(System.nanoTime() - begun).as("one after the other").isLessThan(15_000_000_000L);
    }
  }

  @Test
  void theSameStepWithOtherArgumentsIsRefused() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 5s", "")) {
      McpClient client = world.client();
      client.call(step("write_ok", "{\"marker\":\"a\"}", "s"));

      JsonNode other = client.call(step("write_ok", "{\"marker\":\"b\"}", "s"));
      JsonNode again = client.call(step("write_ok", "{\"marker\":\"a\"}", "s"));

      assertThat(World.outcome(other)).isEqualTo("stopped/key_conflict");
      assertThat(replayed(again)).as("the conflict has changed nothing").isTrue();
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.effectsMarked("a")).hasSize(1);
      assertThat(ledger.effectsMarked("b")).isEmpty();
    }
  }

  /** After it was stopped, nothing stands for the step. */
  @Test
  void aStepThatWasStoppedMayBeTriedWithOtherArguments() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 5s", "")) {
      McpClient client = world.client();
      JsonNode first =
          client.call(
              step("write_rejected", "{\"marker\":\"a\",\"status\":400,\"times\":-1}", "s"));
      JsonNode second = client.call(step("write_rejected", "{\"marker\":\"b\",\"times\":0}", "s"));

      assertThat(World.outcome(first)).isEqualTo("stopped/refused");
      assertThat(World.outcome(second)).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("b")).hasSize(1);
    }
  }

  /** A tool for which the same twice is two: it is never joined, replayed or told about. */
  @Test
  void aToolThatRepeatsIsNeverTakenForItsRepeat() throws Exception {
    String server = "deadline: 5s, tools: {write_slow: {repeats: true}}";
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      McpClient client = world.client();
      String arguments = "{\"marker\":\"key\",\"delay_ms\":500}";
      PendingCall first = client.begin("write_slow", arguments);
      PendingCall second = client.begin("write_slow", arguments);

      assertThat(World.outcome(first.await())).isEqualTo("ok");
      assertThat(World.outcome(second.await())).isEqualTo("ok");
      assertThat(world.server().ledger().effectsMarked("key")).hasSize(2);
    }
  }

  /** Where the target names what a call is about, the rest of its arguments is not. */
  @Test
  void theTargetSaysWhatACallIsAbout() throws Exception {
    String server = "deadline: 5s, tools: {write_with_key: {target: [marker], " + key() + "}}";
    try (World world = World.of(folder, Way.HTTP, server, "")) {
      McpClient client = world.client();
      client.call("write_with_key", "{\"marker\":\"t\",\"text\":\"a\"}");

      JsonNode other = client.call("write_with_key", "{\"marker\":\"t\",\"text\":\"b\"}");

      assertThat(World.outcome(other)).isEqualTo("stopped/key_conflict");
      assertThat(world.server().ledger().effectsMarked("t")).hasSize(1);
    }
  }

  static String key() {
    return "recognise: {key: {argument: idempotency_key}}";
  }

  static boolean replayed(JsonNode response) {
    return response
        .path("result")
        .path("_meta")
        .path("dev.callbound/outcome")
        .path("replayed")
        .asBoolean();
  }

  static List<RepeatRecord.Kind> repeats(World world, CallRecord record) throws Exception {
    assertThat(Eventually.holds(() -> !world.gateway().journal().repeatsOf(record.id()).isEmpty()))
        .isTrue();
    return world.gateway().journal().repeatsOf(record.id()).stream()
        .map(RepeatRecord::kind)
        .toList();
  }

  private static void begun(World world) throws Exception {
    assertThat(Eventually.holds(() -> world.begun("write_slow"))).isTrue();
  }
}
