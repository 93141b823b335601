package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.gateway.config.ListenAddress;
import dev.callbound.gateway.door.ScriptedBridge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopTest {
  @Test
  void drainingLetsNoCallInAndWaitsForThoseInFlight() throws Exception {
    try (DoorFixture door = DoorFixture.open();
        Wire open = door.wire()) {
      String session = door.session();
      door.bridge.nextTalk();
      open.send("POST", "/mcp", DoorFixture.PING.replace("ping", "hang"), session);
      ScriptedBridge.Talk talk = door.bridge.nextTalk();

      assertThat(door.door.drain(Duration.ZERO)).isEqualTo(1);
      Wire.Reply late = door.post(DoorFixture.PING, session);
      talk.answer("{}");

      assertThat(late.status()).isEqualTo(503);
      assertThat(late.header("Retry-After")).isEqualTo("1");
      assertThat(late.body()).contains("\"id\":1").contains("stopping");
      assertThat(open.reply().body()).contains("result");
      assertThat(door.door.drain(Duration.ofSeconds(5))).isZero();
    }
  }

  @Test
  void closingEndsStreamsConnectionsAndSessions() throws Exception {
    DoorFixture door = DoorFixture.open();
    String session = door.session();
    door.bridge.nextTalk();
    try (Wire stream = door.wire().send("GET", "/mcp", "", session);
        Wire idle = door.wire();
        Wire call = door.wire()) {
      stream.head();
      stream.chunk();
      idle.send("GET", "/healthz", "").reply();
      call.send("POST", "/mcp", DoorFixture.PING.replace("ping", "hang"), session);
      ScriptedBridge.Talk talk = door.bridge.nextTalk();

      door.close();

      assertThat(stream.ended()).isTrue();
      assertThat(idle.ended()).isTrue();
      assertThat(talk.left.await(5, TimeUnit.SECONDS)).isTrue();
      assertThat(door.bridge.guests.getFirst().closed.getCount()).isZero();
    }
  }

  @Test
  void noMoreCallsAreOpenThanAllowed() throws Exception {
    try (DoorFixture door = new DoorFixture(DoorFixture.config(List.of(), 10, 1));
        Wire open = door.wire()) {
      String session = door.session();
      door.bridge.nextTalk();
      open.send("POST", "/mcp", DoorFixture.PING.replace("ping", "hang"), session);
      door.bridge.nextTalk();

      Wire.Reply reply = door.post(DoorFixture.PING, session);

      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.header("Retry-After")).isEqualTo("1");
    }
  }

  @Test
  void portInUseIsExplained() throws Exception {
    try (DoorFixture door = DoorFixture.open()) {
      HttpDoor second =
          new HttpDoor(
              DoorFixture.config(List.of()).at(new ListenAddress("127.0.0.1", door.port)),
              door.bridge,
              door.runs,
              door.calls,
              door.circuits);

      assertThatThrownBy(second::start)
          .isInstanceOf(CannotListenException.class)
          .hasMessageContaining("127.0.0.1:" + door.port)
          .hasMessageContaining("listens there")
          .hasMessageContaining("--listen");
    }
  }
}
