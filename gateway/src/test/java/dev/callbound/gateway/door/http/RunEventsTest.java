package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.testkit.Eventually;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunEventsTest {
  private static final Instant AT = Instant.parse("2026-12-01T00:00:00Z");
  private static final String[] ACCEPT = {"Accept: text/event-stream"};

  private static final JsonObject CALL = JsonObject.of("call", Json.text("c1"));

  private DoorFixture door;

  @BeforeEach
  void open() throws Exception {
    door = DoorFixture.open();
    door.runs.events.add(new RunsPort.Event(1, AT, "run_opened", JsonObject.EMPTY));
    door.runs.events.add(new RunsPort.Event(2, AT, "call_opened", CALL));
  }

  @AfterEach
  void close() {
    door.close();
  }

  @Test
  void eventsAreToldWithTheirNumberAndThoseToComeWhenTheyDo() throws Exception {
    try (Wire wire = door.wire()) {
      wire.send("GET", "/v1/runs/r1/events", "", ACCEPT);

      assertThat(wire.head().header("Content-Type")).startsWith("text/event-stream");
      assertThat(wire.event())
          .isEqualTo(
              """
              id: 1
              event: run_opened
              data: {"at":"2026-12-01T00:00:00Z"}

              """);
      assertThat(wire.event())
          .isEqualTo(
              """
              id: 2
              event: call_opened
              data: {"at":"2026-12-01T00:00:00Z","call":"c1"}

              """);
      door.runs.events.add(new RunsPort.Event(3, AT, "call_ended", CALL));
      assertThat(wire.event()).startsWith("id: 3\nevent: call_ended\n");
    }
  }

  @Test
  void whoComesBackGetsWhatItMissed() throws Exception {
    try (Wire wire = door.wire()) {
      wire.send("GET", "/v1/runs/r1/events", "", ACCEPT[0], "Last-Event-ID: 1");

      wire.head();
      assertThat(wire.event()).startsWith("id: 2\n");
    }
  }

  @Test
  void aSilentStreamSaysEachSecondThatItIsThere() throws Exception {
    try (Wire wire = door.wire()) {
      wire.send("GET", "/v1/runs/r1/events", "", ACCEPT[0], "Last-Event-ID: 2");

      wire.head();
      assertThat(wire.chunk()).isEqualTo(":\n\n");
      assertThat(wire.chunk()).isEqualTo(":\n\n");
    }
  }

  @Test
  void theStreamEndsWithTheLastEventAndIsNotBegunAgain() throws Exception {
    door.runs.last = true;

    Wire.Reply whole = door.ask("GET", "/v1/runs/r1/events", "", ACCEPT);
    Wire.Reply after = door.ask("GET", "/v1/runs/r1/events", "", ACCEPT[0], "Last-Event-ID: 2");

    assertThat(whole.body()).contains("id: 1\n", "id: 2\n");
    assertThat(after.status()).isEqualTo(204);
  }

  @Test
  void theEndOfTheDoorEndsTheStream() throws Exception {
    try (Wire wire = door.wire()) {
      wire.send("GET", "/v1/runs/r1/events", "", ACCEPT);
      wire.head();
      wire.event();

      long begun = System.nanoTime();
      door.close();

      assertThat(System.nanoTime() - begun).isLessThan(3_000_000_000L);
    }
  }

  /** To wait for what comes after it would leave out what comes before. */
  @Test
  void anIdThatTheRunHasNotComeToIsRefused() throws Exception {
    for (String id : List.of("3", "999999999999999999", "-1", "1.0", "0x1", "9".repeat(1_000))) {
      Wire.Reply reply =
          door.ask("GET", "/v1/runs/r1/events", "", ACCEPT[0], "Last-Event-ID: " + id);

      assertThat(reply.status()).as(id).isEqualTo(400);
      assertThat(reply.body())
          .contains("Last-Event-ID must be the id of an event of this run")
          .hasSizeLessThan(250);
    }
    door.runs.last = true;
    assertThat(door.ask("GET", "/v1/runs/r1/events", "", ACCEPT[0], "Last-Event-ID: 3").status())
        .isEqualTo(400);
  }

  @Test
  void eachOfTwoReadersHearsAllAndNeitherLeavesAnythingBehind() throws Exception {
    try (Wire staying = door.wire()) {
      readBoth(staying);
      try (Wire leaving = door.wire()) {
        readBoth(leaving);
        assertThat(door.door.openEvents()).isEqualTo(2);
      }

      assertThat(Eventually.holds(() -> door.door.openEvents() == 1)).isTrue();
      door.runs.events.add(new RunsPort.Event(3, AT, "call_ended", CALL));
      assertThat(staying.event()).startsWith("id: 3\n");
    }
    assertThat(Eventually.holds(() -> door.door.openEvents() == 0)).isTrue();
  }

  private static void readBoth(Wire wire) throws Exception {
    wire.send("GET", "/v1/runs/r1/events", "", ACCEPT);
    wire.head();
    assertThat(wire.event()).startsWith("id: 1\n");
    assertThat(wire.event()).startsWith("id: 2\n");
  }

  @Test
  void whatIsAskedWronglyIsRefused() throws Exception {
    assertThat(door.ask("GET", "/v1/runs/r2/events", "", ACCEPT).status()).isEqualTo(404);
    assertThat(door.ask("GET", "/v1/runs/r1/events", "", ACCEPT[0], "Last-Event-ID: x").body())
        .contains("invalid_request", "Last-Event-ID");
    assertThat(door.ask("GET", "/v1/runs/r1/events", "", "Accept: text/html").status())
        .isEqualTo(406);
    try (DoorFixture guarded = DoorFixture.withTokens("ana", "0123456789abcdef")) {
      assertThat(guarded.ask("GET", "/v1/runs/r1/events", "", ACCEPT).status()).isEqualTo(401);
    }
  }
}
