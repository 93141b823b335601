package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final String TOKEN = "0123456789abcdef-secret";

  private DoorFixture door;

  @AfterEach
  void close() {
    door.close();
  }

  @Test
  void withoutTokensEverybodyIsLocal() throws Exception {
    door = DoorFixture.open();

    assertThat(door.post(DoorFixture.INITIALIZE).status()).isEqualTo(200);
    assertThat(door.bridge.guests.getFirst().principal()).isEqualTo("local");
  }

  @Test
  void tokenSaysWhoComes() throws Exception {
    door = DoorFixture.withTokens("ana", TOKEN, "bo", "another-token-of-bo");

    assertThat(door.post(DoorFixture.INITIALIZE, "Authorization: bearer " + TOKEN).status())
        .isEqualTo(200);
    assertThat(door.bridge.guests.getFirst().principal()).isEqualTo("ana");
  }

  @Test
  void missingAndUnknownTokensAreRefusedWithAChallenge() throws Exception {
    door = DoorFixture.withTokens("ana", TOKEN);

    Wire.Reply missing = door.post(DoorFixture.INITIALIZE);
    Wire.Reply unknown = door.post(DoorFixture.INITIALIZE, "Authorization: Bearer guess");

    assertThat(missing.status()).isEqualTo(401);
    assertThat(missing.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"callbound\"");
    assertThat(unknown.status()).isEqualTo(401);
    assertThat(unknown.header("WWW-Authenticate")).contains("invalid_token");
    assertThat(unknown.body()).doesNotContain("guess");
    assertThat(door.bridge.guests).isEmpty();
  }

  @Test
  void aSessionIsOfItsPrincipalOnly() throws Exception {
    door = DoorFixture.withTokens("ana", TOKEN, "bo", "another-token-of-bo");
    String session = door.session("Authorization: Bearer " + TOKEN);

    assertThat(door.post(DoorFixture.PING, session, "Authorization: Bearer " + TOKEN).status())
        .isEqualTo(200);
    assertThat(
            door.post(DoorFixture.PING, session, "Authorization: Bearer another-token-of-bo")
                .status())
        .isEqualTo(404);
  }

  @Test
  void pageFromElsewhereIsRefused() throws Exception {
    door = DoorFixture.open();

    Wire.Reply reply = door.post(DoorFixture.INITIALIZE, "Origin: https://evil.example");

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.body()).contains("https://evil.example").contains("allowed_origins");
    assertThat(door.post(DoorFixture.INITIALIZE, "Origin: http://localhost:5173").status())
        .isEqualTo(200);
    assertThat(door.post(DoorFixture.INITIALIZE, "Origin: null").status()).isEqualTo(403);
  }

  @Test
  void nameThatIsNotOursIsRefused() throws Exception {
    door = DoorFixture.open();

    Wire.Reply reply = door.post(DoorFixture.INITIALIZE, "Host: rebound.example:80");

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.body()).contains("rebound.example").contains("allowed_hosts");
    assertThat(door.ask("GET", "/v1/runs", "", "Host: rebound.example").status()).isEqualTo(403);
  }

  @Test
  void healthNeedsNoToken() throws Exception {
    door = DoorFixture.withTokens("ana", TOKEN);

    Wire.Reply reply = door.ask("GET", "/healthz", "");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("ok");
  }

  @Test
  void unknownPathNamesTheRightOne() throws Exception {
    door = DoorFixture.open();

    Wire.Reply reply = door.ask("GET", "/", "");

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body()).contains("/mcp");
  }
}
