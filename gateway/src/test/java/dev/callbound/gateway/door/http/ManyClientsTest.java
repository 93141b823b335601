package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.door.ScriptedBridge;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManyClientsTest {
  /** How many this test holds; the property {@code door.idle} and {@code door.calls} hold more. */
  private static final int IDLE = Integer.getInteger("door.idle", 2_000);

  private static final int CALLS = Integer.getInteger("door.calls", 300);

  @Test
  void idleClientsAndOpenCallsUseNothingUp() throws Exception {
    List<Wire> wires = new ArrayList<>();
    try (DoorFixture door = DoorFixture.open()) {
      String session = door.session();
      door.bridge.nextTalk();
      for (int i = 0; i < IDLE; i++) {
        Wire wire = door.wire();
        wires.add(wire);
        assertThat(wire.send("GET", "/healthz", "").reply().status()).isEqualTo(200);
      }
      List<Wire> callers = new ArrayList<>();
      List<ScriptedBridge.Talk> talks = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        Wire wire = door.wire();
        wires.add(wire);
        callers.add(wire);
        wire.send("POST", "/mcp", DoorFixture.PING.replace("ping", "hang"), session);
        talks.add(door.bridge.nextTalk());
      }

      assertThat(door.door.openCalls()).isEqualTo(CALLS);
      assertThat(door.post(DoorFixture.PING, session).status()).isEqualTo(200);
      assertThat(wires.getFirst().send("GET", "/healthz", "").reply().status()).isEqualTo(200);
      talks.forEach(talk -> talk.answer("{}"));
      for (Wire caller : callers) {
        assertThat(caller.reply().body()).contains("result");
      }
    } finally {
      for (Wire wire : wires) {
        wire.close();
      }
    }
  }
}
