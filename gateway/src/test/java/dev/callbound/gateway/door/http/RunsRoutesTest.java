package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.door.RunsPort;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunsRoutesTest {
  private static final String RUN =
      "{\"id\":\"r1\",\"name\":\"nightly\",\"state\":\"running\","
          + "\"started_at\":\"2026-12-01T00:00:00Z\",\"deadline\":\"2026-12-01T02:00:00Z\","
          + "\"retry_limit\":50,\"retries_used\":3,\"calls\":12,\"spend_limit\":0.50,\"spent\":0.12}";

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
  void runIsOpenedAsWished() throws Exception {
    Wire.Reply reply =
        door.ask(
            "POST",
            "/v1/runs",
            "{\"name\":\"nightly\",\"client\":\"cron\",\"deadline\":\"1h30m\",\"retries\":7,\"spend\":0.25,"
                + "\"expect\":[\"file:/x\"]}");

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.body()).isEqualTo(RUN);
    assertThat(door.runs.wishes)
        .containsExactly(
            new RunsPort.Wish(
                "local",
                null,
                "cron",
                "nightly",
                Duration.ofMinutes(90),
                7,
                "0.25",
                List.of("file:/x")));
  }

  @Test
  void nothingNeedsToBeWished() throws Exception {
    assertThat(door.ask("POST", "/v1/runs", "").status()).isEqualTo(201);
    assertThat(door.runs.wishes)
        .containsExactly(new RunsPort.Wish("local", null, null, null, null, null, null, List.of()));
  }

  @Test
  void refusalSaysWhy() throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/runs", "{\"name\":\"taken\"}");

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.body())
        .isEqualTo(
            "{\"error\":{\"code\":\"name_taken\",\"message\":\"a run called taken is running\"}}");
  }

  @Test
  void runThatWasAskedForBeforeIsFound() throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/runs", "{\"name\":\"there\"}");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo(RUN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"k-1", "\"k-1\""})
  void keyMayStandInQuotes(String key) throws Exception {
    door.ask("POST", "/v1/runs", "", "Idempotency-Key: " + key);

    assertThat(door.runs.wishes)
        .containsExactly(
            new RunsPort.Wish("local", "k-1", null, null, null, null, null, List.of()));
  }

  @Test
  void keyOfAnotherRequestIsUnprocessable() throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/runs", "{}", "Idempotency-Key: used");

    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.body()).contains("\"code\":\"idempotency_key_reused\"");
    assertThat(door.ask("POST", "/v1/runs", "", "Idempotency-Key: \"\"").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"deadline\":\"soon\"}",
        "{\"deadline\":\"0s\"}",
        "{\"deadline\":5}",
        "{\"retries\":-1}",
        "{\"retries\":\"many\"}",
        "{\"name\":\"\"}",
        "{\"expect\":\"file:/x\"}",
        "{\"expect\":[1]}",
        "[]",
        "{"
      })
  void wrongWishIsNamed(String body) throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/runs", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).startsWith("{\"error\":{\"code\":\"invalid_request\",\"message\":\"");
    assertThat(door.runs.wishes).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'deadline':'0s'}      | deadline must be a duration such as 90s | : 0s",
        "{'deadline':'-5s'}     | deadline must be a duration such as 90s | : -5s",
        "{'deadline':'1h-5m'}   | deadline must be a duration such as 90s | : 1h-5m",
        "{'deadline':'1y'}      | deadline must be a duration such as 90s | : 1y",
        "{'deadline':'30'}      | deadline must be a duration such as 90s | : 30",
        "{'deadline':30}        | deadline must be a duration such as 90s | : 30",
        "{'deadline':'9000h'}   | at most 8760h                           | : 9000h",
        "{'deadline':'99999999999999999999h'} | at most 8760h             | h",
        "{'retries':-1}         | retries must be a whole number, 0 to    | : -1",
        "{'retries':1e9}        | retries must be a whole number, 0 to    | : 1e9",
        "{'retries':1.5}        | retries must be a whole number, 0 to    | : 1.5",
        "{'retries':'x'}        | retries must be a whole number, 0 to    | : x",
        "{'dedline':'5m'}       | name, client, deadline, retries, spend, expect | no dedline",
        "{'name':7}             | name must be a text of 1 to 200         | characters"
      })
  void whatIsWrongIsNamedWithItsRemedy(String body, String remedy, String value) throws Exception {
    Wire.Reply reply = door.ask("POST", "/v1/runs", body.replace('\'', '"'));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("\"code\":\"invalid_request\"", remedy, value);
    assertThat(door.runs.wishes).isEmpty();
  }

  @Test
  void whatIsFarTooLongIsNotRepeated() throws Exception {
    for (String body :
        List.of(
            "{\"name\":\"%s\"}",
            "{\"deadline\":\"%s\"}", "{\"retries\":\"%s\"}", "{\"spend\":\"%s\"}", "{\"%s\":1}")) {
      Wire.Reply reply = door.ask("POST", "/v1/runs", body.formatted("x".repeat(10_000)));

      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.body()).hasSizeLessThan(300);
    }
    assertThat(door.runs.wishes).isEmpty();
    assertThat(door.ask("POST", "/v1/runs", "{\"name\":\"große Nacht 🌙\"}").status())
        .isEqualTo(201);
    assertThat(door.runs.wishes.getFirst().name()).isEqualTo("große Nacht 🌙");
  }

  /** Every error of this part has the one form, also those that no route has a hand in. */
  @Test
  void theOneFormOfErrorsIsKeptWhateverIsWrong() throws Exception {
    Wire.Reply large = door.ask("POST", "/v1/runs", "x".repeat(5 << 20));
    assertThat(large.status()).isEqualTo(413);
    assertThat(large.body()).startsWith("{\"error\":{\"code\":\"too_large\"");
    Wire.Reply text = door.ask("POST", "/v1/runs", "{}", "Content-Type: text/plain");
    assertThat(text.status()).isEqualTo(415);
    assertThat(text.body()).contains("unsupported_media_type", "must be application/json");
    for (String nowhere : List.of("/v1/calls", "/v1/run", "/v1/circuits/x")) {
      Wire.Reply reply = door.ask("GET", nowhere, "");
      assertThat(reply.status()).as(nowhere).isEqualTo(404);
      assertThat(reply.body()).startsWith("{\"error\":{\"code\":\"not_found\"");
    }
    for (String query : List.of("limit=-1", "limit=abc", "limit=", "limit=1001", "state=foo")) {
      Wire.Reply reply = door.ask("GET", "/v1/runs?" + query, "");
      assertThat(reply.status()).as(query).isEqualTo(400);
      assertThat(reply.body()).contains(query.startsWith("l") ? "1 to 1000" : "done, stopped");
    }
    for (String path : List.of("/v1/runs/r1/cancel", "/v1/runs/r1/finish")) {
      assertThat(door.ask("POST", path, "{\"why\":\"late\"}").body())
          .contains("the body takes reason, and no why");
    }
    assertThat(door.runs.wishes).isEmpty();
    assertThat(door.runs.asked).isEmpty();
  }

  @Test
  void runsAreListed() throws Exception {
    Wire.Reply reply = door.ask("GET", "/v1/runs?limit=5&state=running", "");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"runs\":[" + RUN + "]}");
    door.ask("GET", "/v1/runs", "");
    assertThat(door.runs.asked).containsExactly("local 5 RUNNING", "local 50 null");
    assertThat(door.ask("GET", "/v1/runs?limit=0", "").status()).isEqualTo(400);
    assertThat(door.ask("GET", "/v1/runs?state=asleep", "").body()).contains("running, done");
  }

  @Test
  void runIsFoundOrNot() throws Exception {
    assertThat(door.ask("GET", "/v1/runs/r1", "").body()).isEqualTo(RUN);
    Wire.Reply unknown = door.ask("GET", "/v1/runs/r2", "");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.body()).contains("not_found").contains("r2");
  }

  @Test
  void runIsCancelled() throws Exception {
    assertThat(door.ask("POST", "/v1/runs/r1/cancel", "{\"reason\":\"late\"}").status())
        .isEqualTo(200);
    assertThat(door.ask("POST", "/v1/runs/r2/cancel", "").status()).isEqualTo(404);
    assertThat(door.runs.asked).containsExactly("local r1 late", "local r2 null");
  }

  @Test
  void runIsFinished() throws Exception {
    assertThat(door.ask("POST", "/v1/runs/r1/finish", "{\"reason\":\"all done\"}").body())
        .isEqualTo(RUN);
    assertThat(door.ask("POST", "/v1/runs/r2/finish", "").status()).isEqualTo(404);
    assertThat(door.runs.asked).containsExactly("finish r1 all done", "finish r2 null");
  }

  @Test
  void tokenIsNeededHereToo() throws Exception {
    try (DoorFixture guarded = DoorFixture.withTokens("ana", "0123456789abcdef")) {
      Wire.Reply reply = guarded.ask("GET", "/v1/runs", "");

      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
      assertThat(reply.body()).startsWith("{\"error\":{\"code\":\"unauthorized\"");
    }
  }
}
