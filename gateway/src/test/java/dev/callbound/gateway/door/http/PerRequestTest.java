package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.door.ScriptedBridge;
import dev.callbound.gateway.mcp.Revision;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MCP 2026-07-28 over HTTP: every request stands for itself. */
class PerRequestTest {
  private static final String CALL = "\"name\":\"add\",\"arguments\":{}";

  private DoorFixture door;

  @BeforeEach
  void open() throws Exception {
    door = DoorFixture.open();
    door.bridge.on("tools/call", (request, talk) -> talk.answer("{}"));
    door.bridge.on("resources/read", (request, talk) -> talk.answer("{}"));
  }

  @AfterEach
  void close() {
    door.close();
  }

  @Test
  void clientLivesForOneRequest() throws Exception {
    Wire.Reply reply = door.post(DoorFixture.modern("ping", ""), DoorFixture.modernHeaders("ping"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Mcp-Session-Id")).isNull();
    ScriptedBridge.Guest guest = door.bridge.guests.getFirst();
    assertThat(guest.revision()).isEqualTo(Revision.V2026_07_28);
    assertThat(guest.greeting.session()).isNull();
    assertThat(guest.greeting.info().text("name")).isEqualTo("test");
    assertThat(guest.closed.await(5, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void nameMayBeEncoded() throws Exception {
    String[] headers = DoorFixture.modernHeaders("tools/call", "Mcp-Name: =?base64?YWRk?=");

    assertThat(door.post(DoorFixture.modern("tools/call", CALL), headers).status()).isEqualTo(200);
  }

  @Test
  void uriIsTheNameOfWhatIsRead() throws Exception {
    String body = DoorFixture.modern("resources/read", "\"uri\":\"file:///a\"");

    assertThat(
            door.post(body, DoorFixture.modernHeaders("resources/read", "Mcp-Name: file:///a"))
                .status())
        .isEqualTo(200);
    assertMismatch(
        door.post(body, DoorFixture.modernHeaders("resources/read", "Mcp-Name: file:///b")));
  }

  @Test
  void headersMustBeThereAndAgree() throws Exception {
    String body = DoorFixture.modern("tools/call", CALL);

    assertMismatch(door.post(body));
    assertMismatch(door.post(body, "MCP-Protocol-Version: 2026-07-28"));
    assertMismatch(door.post(body, DoorFixture.modernHeaders("tools/call")));
    assertMismatch(door.post(body, DoorFixture.modernHeaders("tools/list", "Mcp-Name: add")));
    assertMismatch(door.post(body, DoorFixture.modernHeaders("tools/call", "Mcp-Name: sub")));
    assertMismatch(
        door.post(body, DoorFixture.modernHeaders("tools/call", "Mcp-Name: =?base64?&?=")));
    assertMismatch(door.post(body, "MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/call"));
    assertThat(door.bridge.talks).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"2027-01-01", "1900-01-01", "2025-11-25"})
  void unsupportedVersionNamesThoseThatAreSpoken(String version) throws Exception {
    Wire.Reply reply =
        door.post(
            DoorFixture.modern("ping", "").replace("2026-07-28", version),
            "MCP-Protocol-Version: " + version,
            "Mcp-Method: ping");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body())
        .contains("\"id\":7")
        .contains("\"code\":-32022")
        .contains(
            "\"supported\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"],"
                + "\"requested\":\""
                + version
                + "\"");
  }

  @Test
  void whatARequestMustSayOfItselfIsRequired() throws Exception {
    Wire.Reply noVersion = door.post(DoorFixture.PING, DoorFixture.modernHeaders("ping"));
    Wire.Reply noCapabilities =
        door.post(
            DoorFixture.modern("ping", "").replace("clientCapabilities", "other"),
            DoorFixture.modernHeaders("ping"));

    assertThat(noVersion.status()).isEqualTo(400);
    assertThat(noVersion.body()).contains("-32602").contains("protocolVersion");
    assertThat(noCapabilities.status()).isEqualTo(400);
    assertThat(noCapabilities.body()).contains("-32602").contains("clientCapabilities");
  }

  @Test
  void unknownMethodIs404() throws Exception {
    Wire.Reply reply =
        door.post(DoorFixture.modern("no/such", ""), DoorFixture.modernHeaders("no/such"));

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body()).contains("-32601").contains("\"id\":7");
  }

  @ParameterizedTest
  @CsvSource({"-32021, 400", "-32602, 200", "-32603, 200", "7, 200"})
  void statusFollowsFromTheError(int code, int status) throws Exception {
    door.bridge.on("fails", (request, talk) -> talk.fail(code, "no"));

    assertThat(
            door.post(DoorFixture.modern("fails", ""), DoorFixture.modernHeaders("fails")).status())
        .isEqualTo(status);
  }

  @Test
  void thereIsNoStreamAndNothingToDelete() throws Exception {
    Wire.Reply get = door.ask("GET", "/mcp", "", "MCP-Protocol-Version: 2026-07-28");
    Wire.Reply delete = door.ask("DELETE", "/mcp", "", "MCP-Protocol-Version: 2026-07-28");

    assertThat(get.status()).isEqualTo(405);
    assertThat(get.header("Allow")).isEqualTo("POST");
    assertThat(delete.status()).isEqualTo(405);
  }

  @Test
  void sessionIdIsIgnored() throws Exception {
    assertThat(
            door.post(
                    DoorFixture.modern("ping", ""),
                    DoorFixture.modernHeaders("ping", "Mcp-Session-Id: old"))
                .status())
        .isEqualTo(200);
  }

  @Test
  void bothErasAreServedAtOnce() throws Exception {
    String session = door.session();

    assertThat(
            door.post(DoorFixture.modern("ping", ""), DoorFixture.modernHeaders("ping")).status())
        .isEqualTo(200);
    assertThat(door.post(DoorFixture.PING, session).status()).isEqualTo(200);
  }

  @Test
  void notificationIsAcceptedAndResponseIsNot() throws Exception {
    String version = "MCP-Protocol-Version: 2026-07-28";

    assertThat(door.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}", version).status())
        .isEqualTo(202);
    assertThat(door.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", version).status())
        .isEqualTo(400);
  }

  private static void assertMismatch(Wire.Reply reply) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("\"code\":-32020").contains("\"id\":7");
  }
}
