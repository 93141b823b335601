package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.door.ScriptedBridge;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionsOverHttpTest {
  private DoorFixture door;

  @BeforeEach
  void open() throws Exception {
    door = DoorFixture.open();
  }

  @AfterEach
  void close() {
    door.close();
  }

  @ParameterizedTest
  @CsvSource({
    "2025-03-26, 2025-03-26",
    "2025-06-18, 2025-06-18",
    "2025-11-25, 2025-11-25",
    "2024-11-05, 2025-11-25",
    "2026-07-28, 2025-11-25",
    "1999-01-01, 2025-11-25"
  })
  void initializeAgreesOnARevision(String asked, String agreed) throws Exception {
    Wire.Reply reply = door.post(DoorFixture.INITIALIZE.replace("2025-06-18", asked));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).contains("\"protocolVersion\":\"" + agreed + "\"");
    assertThat(reply.header("Mcp-Session-Id")).matches("[0-9a-f]{32}");
  }

  @Test
  void theSessionIsTheClientFromThenOn() throws Exception {
    String session = door.session();

    Wire.Reply reply = door.post(DoorFixture.PING, session, "MCP-Protocol-Version: 2025-06-18");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    assertThat(door.bridge.guests).hasSize(1);
    assertThat(door.bridge.guests.getFirst().greeting.info().text("name")).isEqualTo("t");
    assertThat(session).endsWith(door.bridge.guests.getFirst().greeting.session());
  }

  @Test
  void withoutASessionItIs400AndWithAnUnknownOne404() throws Exception {
    assertThat(door.post(DoorFixture.PING).status()).isEqualTo(400);
    assertThat(door.post(DoorFixture.PING, "Mcp-Session-Id: guess").status()).isEqualTo(404);
    assertThat(door.ask("GET", "/mcp", "").status()).isEqualTo(400);
    assertThat(door.ask("DELETE", "/mcp", "", "Mcp-Session-Id: guess").status()).isEqualTo(404);
  }

  @Test
  void unsupportedVersionHeaderIs400AndAbsentIsTheSessions() throws Exception {
    String session = door.session();

    assertThat(door.post(DoorFixture.PING, session, "MCP-Protocol-Version: 1999-01-01").status())
        .isEqualTo(400);
    assertThat(door.post(DoorFixture.PING, session, "MCP-Protocol-Version: rubbish").status())
        .isEqualTo(400);
    assertThat(door.post(DoorFixture.PING, session).status()).isEqualTo(200);
  }

  @Test
  void deleteEndsTheSession() throws Exception {
    String session = door.session();

    assertThat(door.ask("DELETE", "/mcp", "", session).status()).isEqualTo(204);

    assertThat(door.bridge.guests.getFirst().closed.getCount()).isZero();
    assertThat(door.post(DoorFixture.PING, session).status()).isEqualTo(404);
  }

  @Test
  void refusedInitializeLeavesNoSession() throws Exception {
    door.bridge.on("initialize", (request, talk) -> talk.fail(-32602, "no"));

    Wire.Reply reply = door.post(DoorFixture.INITIALIZE);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Mcp-Session-Id")).isNull();
    ScriptedBridge.Guest guest = door.bridge.guests.getFirst();
    assertThat(guest.closed.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(door.post(DoorFixture.PING, "Mcp-Session-Id: " + guest.greeting.session()).status())
        .isEqualTo(404);
  }

  @Test
  void notificationsAndResponsesAreAccepted() throws Exception {
    String session = door.session();

    Wire.Reply told =
        door.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", session);
    Wire.Reply answered = door.post("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}", session);

    assertThat(told.status()).isEqualTo(202);
    assertThat(told.body()).isEmpty();
    assertThat(answered.status()).isEqualTo(202);
    assertThat(door.bridge.heard).hasSize(2);
  }

  @Test
  void anEndpointIsForOneServer() throws Exception {
    Wire.Reply begun = door.ask("POST", "/mcp/files", DoorFixture.INITIALIZE);
    String session = "Mcp-Session-Id: " + begun.header("Mcp-Session-Id");

    assertThat(door.bridge.guests.getFirst().greeting.server()).isEqualTo("files");
    assertThat(door.ask("POST", "/mcp/files", DoorFixture.PING, session).status()).isEqualTo(200);
    assertThat(door.post(DoorFixture.PING, session).status()).isEqualTo(404);
    Wire.Reply nowhere = door.ask("POST", "/mcp/nowhere", DoorFixture.INITIALIZE);
    assertThat(nowhere.status()).isEqualTo(404);
    assertThat(nowhere.body()).contains("no server is called nowhere");
  }

  @Test
  void aSlashAtTheEndChangesNothing() throws Exception {
    assertThat(door.ask("POST", "/mcp/", DoorFixture.INITIALIZE).status()).isEqualTo(200);
    assertThat(door.ask("POST", "/mcp/files/", DoorFixture.INITIALIZE).status()).isEqualTo(200);

    assertThat(door.bridge.guests.getFirst().greeting.server()).isNull();
    assertThat(door.bridge.guests.getLast().greeting.server()).isEqualTo("files");
  }

  @Test
  void runAndStepComeInHeadersAndTheCallGoesOutInThem() throws Exception {
    String session = door.session();
    door.bridge.on(
        "tools/call",
        (request, talk) -> {
          talk.refer("run-1", "call-1");
          talk.answer("{}");
        });

    Wire.Reply reply =
        door.post(
            DoorFixture.PING.replace("ping", "tools/call"),
            session,
            "Callbound-Run: nightly",
            "Callbound-Step: 3");

    assertThat(door.bridge.contexts.getLast())
        .isEqualTo(new Bridge.Context("nightly", "3", Map.of()));
    assertThat(reply.header("Callbound-Run")).isEqualTo("run-1");
    assertThat(reply.header("Callbound-Call")).isEqualTo("call-1");
  }

  @Test
  void anErrorIsAnAnswerLikeAnyOther() throws Exception {
    String session = door.session();

    Wire.Reply reply = door.post(DoorFixture.PING.replace("ping", "no/such"), session);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).contains("-32601");
  }

  @Test
  void theSessionsStreamTellsWhatIsSaidOutsideRequests() throws Exception {
    String session = door.session();
    ScriptedBridge.Guest guest = door.bridge.guests.getFirst();
    try (Wire wire = door.wire().send("GET", "/mcp", "", session)) {
      assertThat(wire.head().header("Content-Type")).isEqualTo("text/event-stream");
      guest.news.add(changed("one"));

      assertThat(wire.event())
          .isEqualTo("id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"one\"}\n\n");
    }
  }

  @Test
  void aClientThatComesBackGetsWhatItMissed() throws Exception {
    String session = door.session();
    ScriptedBridge.Guest guest = door.bridge.guests.getFirst();
    try (Wire first = door.wire().send("GET", "/mcp", "", session)) {
      first.head();
      guest.news.add(changed("one"));
      guest.news.add(changed("two"));
      guest.news.add(changed("three"));
      first.event();
      first.event();
      first.event();
      try (Wire second = door.wire().send("GET", "/mcp", "", session, "Last-Event-ID: 1")) {
        second.head();

        assertThat(second.event()).startsWith("id: 2\n").contains("two");
        assertThat(second.event()).startsWith("id: 3\n").contains("three");
        assertThat(first.ended()).as("the newer stream took over").isTrue();
      }
    }
  }

  @Test
  void deleteEndsTheStream() throws Exception {
    String session = door.session();
    try (Wire wire = door.wire().send("GET", "/mcp", "", session)) {
      wire.head();
      wire.chunk();

      door.ask("DELETE", "/mcp", "", session);

      assertThat(wire.ended()).isTrue();
      assertThat(door.bridge.guests.getFirst().closed.await(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Message changed(String method) {
    return new Message.Notification(method, JsonObject.EMPTY);
  }
}
