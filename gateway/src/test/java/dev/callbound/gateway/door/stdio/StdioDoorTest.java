package dev.callbound.gateway.door.stdio;

import static dev.callbound.gateway.door.stdio.StdioFixture.META;
import static dev.callbound.gateway.door.stdio.StdioFixture.cancel;
import static dev.callbound.gateway.door.stdio.StdioFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.door.ScriptedBridge;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StdioDoorTest {
  @Test
  void sessionBeginsWithInitialize() throws Exception {
    try (StdioFixture door = StdioFixture.open()) {
      assertThat(door.line(StdioFixture.INITIALIZE).answer())
          .isEqualTo(
              "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-11-25\"}}");
      assertThat(door.line(request(1, "ping", "")).answer())
          .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
      assertThat(door.bridge.guests).hasSize(1);
      assertThat(door.bridge.guests.getFirst().greeting.session()).isNotNull();
      assertThat(door.line(StdioFixture.INITIALIZE).answer()).contains("already begun");
    }
  }

  @Test
  void requestMayStandForItself() throws Exception {
    try (StdioFixture door = StdioFixture.open()) {
      assertThat(door.line(request("\"a\"", "ping", META)).answer())
          .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
      ScriptedBridge.Guest guest = door.bridge.guests.getFirst();
      assertThat(guest.revision()).isEqualTo(Revision.V2026_07_28);
      assertThat(guest.closed.await(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void bothErasMayBeSpokenSideBySide() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      assertThat(door.line(request(1, "ping", META)).answer()).contains("result");
      assertThat(door.line(request(2, "ping", "")).answer()).contains("result");
      assertThat(door.bridge.guests).hasSize(2);
    }
  }

  @Test
  void unsupportedVersionNamesThoseThatAreSpoken() throws Exception {
    try (StdioFixture door = StdioFixture.open()) {
      assertThat(door.line(request(1, "ping", META.replace("2026", "2036"))).answer())
          .contains("\"id\":1")
          .contains("-32022")
          .contains("\"supported\":[\"2026-07-28\"");
      assertThat(door.line(request(2, "ping", META.replace("clientC", "c"))).answer())
          .contains("-32602")
          .contains("clientCapabilities");
    }
  }

  @Test
  void requestBeforeASessionIsToldHowToBegin() throws Exception {
    try (StdioFixture door = StdioFixture.open()) {
      assertThat(door.line(request(1, "ping", "")).answer())
          .contains("\"id\":1")
          .contains("begin with initialize");
    }
  }

  @Test
  void refusedInitializeMayBeTriedAgain() throws Exception {
    try (StdioFixture door = StdioFixture.open()) {
      door.bridge.on("initialize", (request, talk) -> talk.fail(-32602, "no"));
      assertThat(door.line(StdioFixture.INITIALIZE).answer()).contains("-32602");
      assertThat(door.bridge.guests.getFirst().closed.await(5, TimeUnit.SECONDS)).isTrue();
      door.bridge.on("initialize", (request, talk) -> talk.answer("{}"));

      assertThat(door.line(StdioFixture.INITIALIZE).answer()).contains("result");
    }
  }

  @Test
  void slowRequestHoldsNothingUp() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      door.line(request(1, "hang", ""));
      ScriptedBridge.Talk slow = door.bridge.nextTalk();
      assertThat(door.line(request(2, "ping", "")).answer()).contains("\"id\":2");

      slow.answer("{}");
      assertThat(door.answer()).contains("\"id\":1");
    }
  }

  @Test
  void manyAnswersAtOnceStayWhole() throws Exception {
    String filler = "é".repeat(20_000);
    try (StdioFixture door = StdioFixture.begun()) {
      door.bridge.on("big", (request, talk) -> talk.answer("{\"x\":\n\"" + filler + "\"}"));
      for (int i = 1; i <= 20; i++) {
        door.line(request(i, "big", ""));
      }
      Set<String> answers = new HashSet<>();
      for (int i = 1; i <= 20; i++) {
        answers.add(door.answer());
      }
      Set<String> expected = new HashSet<>();
      for (int i = 1; i <= 20; i++) {
        expected.add(
            "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"result\":{\"x\": \"" + filler + "\"}}");
      }
      assertThat(answers).isEqualTo(expected);
    }
  }

  @Test
  void questionsAreAskedAndTheirAnswersHandedOn() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      door.line(request(1, "hang", ""));
      ScriptedBridge.Talk talk = door.bridge.nextTalk();
      talk.say(new Message.Request(Json.text("q"), "roots/list", JsonObject.EMPTY));
      assertThat(door.answer())
          .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"roots/list\"}");

      door.line("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{}}").line(request(2, "ping", ""));
      door.answer();
      assertThat(door.bridge.heard)
          .containsExactly(new Message.Result(Json.text("q"), Json.of("{}")));
    }
  }

  @Test
  void whatIsSaidOutsideRequestsIsTold() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      door.bridge.guests.getFirst().news.add(new Message.Notification("news", JsonObject.EMPTY));

      assertThat(door.answer()).isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"news\"}");
    }
  }

  @Test
  void cancelledRequestIsHandedOnAndHeardOfNoMore() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      for (String meta : new String[] {"", META}) {
        door.bridge.heard.clear();
        door.line(request(1, "hang", meta));
        ScriptedBridge.Talk talk = door.bridge.nextTalk();
        door.line(cancel(1)).line(request(2, "ping", ""));
        assertThat(door.answer()).contains("\"id\":2");
        door.bridge.nextTalk();

        assertThat(door.bridge.heard).hasSize(1);
        talk.answer("{}");
        assertThat(door.line(request(3, "ping", "")).answer()).contains("\"id\":3");
        door.bridge.nextTalk();
      }
    }
  }

  @Test
  void idInFlightCannotBeUsedAgain() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      door.line(request(1, "hang", "")).line(request(1, "ping", ""));

      assertThat(door.answer()).contains("\"id\":1").contains("in flight");
    }
  }

  @Test
  void noMoreRequestsAreInFlightThanAllowed() throws Exception {
    var limits = new StdioDoor.Limits(1 << 20, 1, Duration.ofSeconds(1));
    try (StdioFixture door = new StdioFixture(limits)) {
      door.line(request(1, "hang", META)).line(request(2, "ping", META));

      assertThat(door.answer()).contains("\"id\":2").contains("503");
    }
  }

  @Test
  void badLinesAreNamedAndTheNextIsServed() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      assertThat(door.line("hello").answer()).contains("\"id\":null").contains("-32700");
      assertThat(door.line("[]").answer()).contains("\"id\":null").contains("batches");
      assertThat(door.line("{}").answer()).contains("\"id\":null").contains("-32600");
      assertThat(door.line("[".repeat(5_000)).answer()).contains("nested deeper");
      assertThat(door.line("{\"a\":1,\"a\":2}").answer()).contains("same name twice");
      assertThat(door.bytes(new byte[] {'"', (byte) 0xFF, '"', '\n'}).answer()).contains("-32700");
      assertThat(door.line("\r").line(request(1, "ping", "")).answer()).contains("\"id\":1");
    }
  }

  @Test
  void lineThatIsTooLongIsSkipped() throws Exception {
    var limits = new StdioDoor.Limits(1_000, 10, Duration.ofSeconds(1));
    try (StdioFixture door = new StdioFixture(limits)) {
      byte[] block = "x".repeat(100_000).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 100; i++) {
        door.bytes(block);
      }
      door.line("");

      assertThat(door.answer()).contains("\"id\":null").contains("max_request, 1000 bytes");
      assertThat(door.line(request(1, "ping", META)).answer()).contains("\"id\":1");
    }
  }

  @Test
  void clientThatClosesTheInputHasLeft() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      door.line(request(1, "hang", "")).line(request(2, "hang", META));
      ScriptedBridge.Talk first = door.bridge.nextTalk();
      ScriptedBridge.Talk second = door.bridge.nextTalk();

      door.leave();

      assertThat(first.left.await(5, TimeUnit.SECONDS)).isTrue();
      assertThat(second.left.await(5, TimeUnit.SECONDS)).isTrue();
      assertThat(door.bridge.guests.getFirst().closed.await(5, TimeUnit.SECONDS)).isTrue();
      assertThat(door.runs()).as("what is in flight has the grace to end").isTrue();
      first.answer("{}");
      second.answer("{}");
      assertThat(door.ended()).isTrue();
    }
  }

  @Test
  void graceIsTheLongestThatADoorStays() throws Exception {
    var limits = new StdioDoor.Limits(1_000, 10, Duration.ofMillis(100));
    try (StdioFixture door = new StdioFixture(limits)) {
      door.line(request(1, "hang", META));
      door.bridge.nextTalk();

      door.leave();

      assertThat(door.ended()).isTrue();
    }
  }

  @Test
  void clientThatReadsNoMoreHasLeft() throws Exception {
    try (StdioFixture door = StdioFixture.begun()) {
      door.line(request(1, "hang", ""));
      ScriptedBridge.Talk open = door.bridge.nextTalk();

      door.readNoMore();
      door.line(request(2, "ping", ""));

      assertThat(open.left.await(5, TimeUnit.SECONDS)).isTrue();
      open.answer("{}");
      assertThat(door.ended()).isTrue();
    }
  }

  @Test
  void lastLineNeedsNoEnd() throws Exception {
    try (StdioFixture door = StdioFixture.open()) {
      door.bytes(request(1, "ping", META).getBytes(StandardCharsets.UTF_8)).leave();

      assertThat(door.answer()).contains("\"id\":1");
      assertThat(door.ended()).isTrue();
    }
  }
}
