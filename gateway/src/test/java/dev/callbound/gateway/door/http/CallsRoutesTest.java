package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallsRoutesTest {
  private static final String CALL =
      "{\"id\":\"c1\",\"run\":\"r1\",\"step\":\"send\",\"server\":\"mail\",\"tool\":\"send_mail\","
          + "\"effect\":\"write\",\"key\":\"5a1f0c9e-3f1b-8a52-9d0e-7c3b1c7e2f10\","
          + "\"status\":\"unknown\",\"reason\":\"timed_out\","
          + "\"detail\":\"no answer within 60000 ms\",\"attempts\":1,"
          + "\"started_at\":\"2026-12-01T00:00:00Z\",\"ended_at\":\"2026-12-01T00:01:00Z\"}";

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
  void callIsFoundOrNot() throws Exception {
    Wire.Reply found = door.ask("GET", "/v1/calls/c1", "");
    assertThat(found.status()).isEqualTo(200);
    assertThat(found.body()).isEqualTo(CALL);

    Wire.Reply missing = door.ask("GET", "/v1/calls/c2", "");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.body()).contains("not_found").contains("c2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"landed\":true,\"note\":\"seen in the inbox\"} | local c1 true seen in the inbox",
        "{\"landed\":false} | local c1 false null",
        "{} | local c1 null null"
      })
  void callIsSettledAsTold(String body, String asked) throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/calls/c1/settle", body);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo(CALL);
    assertThat(door.calls.asked).containsExactly(asked);
  }

  @Test
  void whatCanNotBeSettledIsSaidWithItsReason() throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/calls/c1/settle", "{\"note\":\"settled\"}");

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.body())
        .isEqualTo(
            "{\"error\":{\"code\":\"not_unknown\",\"message\":\"the call is not unknown\"}}");
    assertThat(door.ask("POST", "/v1/calls/c2/settle", "{}").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"landed\":\"yes\"}", "{\"landed\":1}", "{\"landed\":null}", "[true]", "{"})
  void whatCanNotBeMeantSettlesNothing(String body) throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/calls/c1/settle", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).startsWith("{\"error\":{\"code\":\"invalid_request\",\"message\":\"");
    assertThat(door.calls.asked).isEmpty();
  }

  @Test
  void tokenIsNeededHereToo() throws Exception {
    try (DoorFixture guarded = DoorFixture.withTokens("ana", "0123456789abcdef")) {
      assertThat(guarded.ask("GET", "/v1/calls/c1", "").status()).isEqualTo(401);
      assertThat(guarded.ask("POST", "/v1/calls/c1/settle", "{}").status()).isEqualTo(401);
      assertThat(guarded.calls.asked).isEmpty();
    }
  }
}
