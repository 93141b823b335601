package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.door.CircuitsPort;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitsRoutesTest {
  @Test
  void whatIsInTheWayIsShown() throws Exception {
    try (DoorFixture door = DoorFixture.open()) {
      Instant since = Instant.parse("2026-12-01T00:00:00Z");
      door.circuits.circuits =
          List.of(
              new CircuitsPort.Circuit(
                  "crm", "find", "failures", "open", since, since.plusSeconds(15), "timed_out"),
              new CircuitsPort.Circuit("crm", null, "limit", "open", since, since, null));
      door.circuits.crowds =
          List.of(
              new CircuitsPort.Crowd("crm", 4, 2, 4), new CircuitsPort.Crowd("files", 0, 0, null));

      Wire.Reply reply = door.ask("GET", "/v1/circuits", "");

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body())
          .isEqualTo(
              "{\"circuits\":[{\"server\":\"crm\",\"tool\":\"find\",\"bar\":\"failures\","
                  + "\"state\":\"open\",\"since\":\"2026-12-01T00:00:00Z\","
                  + "\"until\":\"2026-12-01T00:00:15Z\",\"failure\":\"timed_out\"},"
                  + "{\"server\":\"crm\",\"bar\":\"limit\",\"state\":\"open\","
                  + "\"since\":\"2026-12-01T00:00:00Z\",\"until\":\"2026-12-01T00:00:00Z\"}],"
                  + "\"servers\":[{\"server\":\"crm\",\"in_flight\":4,\"waiting\":2,\"at_once\":4},"
                  + "{\"server\":\"files\",\"in_flight\":0,\"waiting\":0}]}");
    }
  }

  @Test
  void nobodySeesItWithoutAToken() throws Exception {
    try (DoorFixture door = DoorFixture.withTokens("ann", "0123456789abcdef")) {
      assertThat(door.ask("GET", "/v1/circuits", "").status()).isEqualTo(401);
    }
  }
}
