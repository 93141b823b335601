package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.door.ScriptedBridge;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTest {
  private static final Duration NOTICED = Duration.ofSeconds(2);

  private DoorFixture door;

  @BeforeEach
  void open() throws Exception {
    door = DoorFixture.open();
  }

  @AfterEach
  void close() {
    door.close();
  }

  @Test
  void quickAnswerIsPlainJsonOnAConnectionThatStays() throws Exception {
    String session = door.session();
    try (Wire wire = door.wire()) {
      for (int i = 0; i < 3; i++) {
        Wire.Reply reply = wire.send("POST", "/mcp", DoorFixture.PING, session).reply();

        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
      }
    }
  }

  @Test
  void largeResultPassesUnchanged() throws Exception {
    String session = door.session();
    String large = "{ \"text\" : \"" + "grüße\\n".repeat(400_000) + "\", \"n\":1.50 }";
    door.bridge.on("large", (request, talk) -> talk.answer(large));

    Wire.Reply reply = door.post(DoorFixture.PING.replace("ping", "large"), session);

    assertThat(reply.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + large + "}");
  }

  @Test
  void whatComesBeforeTheAnswerMakesItAStream() throws Exception {
    String session = door.session();
    door.bridge.on(
        "chatty",
        (request, talk) -> {
          talk.say(new Message.Notification("notifications/progress", JsonObject.EMPTY));
          talk.say(new Message.Request(Json.text("q1"), "roots/list", JsonObject.EMPTY));
          talk.answer("{\"a\":\n1}");
        });
    try (Wire wire = door.wire()) {
      wire.send("POST", "/mcp", DoorFixture.PING.replace("ping", "chatty"), session);
      Wire.Reply head = wire.head();

      assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(head.header("X-Accel-Buffering")).isEqualTo("no");
      assertThat(wire.event())
          .isEqualTo("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n");
      assertThat(wire.event())
          .isEqualTo("data: {\"jsonrpc\":\"2.0\",\"id\":\"q1\",\"method\":\"roots/list\"}\n\n");
      assertThat(wire.event())
          .as("an end of line within JSON must not end the event")
          .isEqualTo("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\": 1}}\n\n");
      assertThat(wire.chunk()).as("the stream ends with the answer").isEmpty();
      assertThat(wire.send("POST", "/mcp", DoorFixture.PING, session).reply().status())
          .isEqualTo(200);
    }
  }

  @Test
  void eventsDoNotWaitForEachOther() throws Exception {
    String session = door.session();
    door.bridge.on(
        "chatty",
        (request, talk) -> {
          talk.say(new Message.Notification("notifications/progress", JsonObject.EMPTY));
          talk.answer("{}");
        });
    long start = System.nanoTime();
    try (Wire wire = door.wire()) {
      for (int i = 0; i < 50; i++) {
        wire.send("POST", "/mcp", DoorFixture.PING.replace("ping", "chatty"), session).reply();
      }
    }
    // Each would take 40 ms if the second write waited for the first to be acknowledged.
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void callThatIsOpenAfterASecondIsAStreamWithComments() throws Exception {
    String session = door.session();
    try (Wire wire = door.wire()) {
      wire.send("POST", "/mcp", DoorFixture.PING.replace("ping", "hang"), session);
      ScriptedBridge.Talk talk = talk("hang");
      talk.refer("r", "c");
      Wire.Reply head = wire.head();

      assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(head.header("Callbound-Call")).isEqualTo("c");
      assertThat(wire.chunk()).startsWith(":");
      assertThat(wire.chunk()).startsWith(":");
      talk.answer("{}");
      assertThat(wire.event()).contains("\"result\":{}");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clientThatLeavesWithinTheFirstSecondIsNoticed(boolean reset) throws Exception {
    String session = door.session();
    Wire wire = door.wire();
    wire.send("POST", "/mcp", DoorFixture.PING.replace("ping", "hang"), session);
    ScriptedBridge.Talk talk = talk("hang");

    assertNoticed(wire, reset, talk);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clientThatLeavesAStreamIsNoticed(boolean reset) throws Exception {
    Wire wire = door.wire();
    wire.send("POST", "/mcp", DoorFixture.modern("hang", ""), DoorFixture.modernHeaders("hang"));
    ScriptedBridge.Talk talk = talk("hang");
    wire.head();
    wire.chunk();

    // Just after a comment, which is the worst moment.
    assertNoticed(wire, reset, talk);
    assertThat(door.bridge.guests.getFirst().closed.await(1, TimeUnit.SECONDS)).isTrue();
  }

  private void assertNoticed(Wire wire, boolean reset, ScriptedBridge.Talk talk) throws Exception {
    long start = System.nanoTime();
    if (reset) {
      wire.reset();
    } else {
      wire.close();
    }
    assertThat(talk.left.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(NOTICED);
  }

  private ScriptedBridge.Talk talk(String method) throws InterruptedException {
    ScriptedBridge.Talk talk = door.bridge.nextTalk();
    while (!talk.request.method().equals(method)) {
      talk = door.bridge.nextTalk();
    }
    return talk;
  }
}
