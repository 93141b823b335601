package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class StreamableHttpServerTest {
  private Faults faults;

  @BeforeEach
  void start() throws Exception {
    faults = Faults.start();
  }

  @AfterEach
  void stop() {
    faults.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "sse"})
  void anAnswerComesBackAsItWasGiven(String reply) throws Exception {
    RecordingExchange exchange = new RecordingExchange();
    Json result =
        Faults.ok(
            faults.call("read_ok", "{\"text\":\"hé\",\"reply\":\"" + reply + "\"}", exchange));
    assertThat(result.at("content").elements().getFirst().textAt("text")).contains("hé");
    assertThat(exchange.events()).startsWith("sent");
    assertThat(exchange.timesSent()).isEqualTo(1);
    assertThat(faults.ledger().calls())
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.protocol()).isEqualTo("2025-11-25");
              assertThat(call.progressToken().isMissingNode()).isFalse();
            });
  }

  @Test
  void aCallersRevisionIsSpokenWhereTheServerSpeaksIt() throws Exception {
    RecordingExchange exchange = new RecordingExchange(Revision.V2026_07_28);
    Json result = Faults.ok(faults.call("read_ok", "{}", exchange));
    assertThat(result.textAt("resultType")).isEqualTo("complete");
    assertThat(faults.ledger().calls())
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.protocol()).isEqualTo("2026-07-28");
              assertThat(call.session()).isNull();
            });
  }

  @Test
  void aServerIntroducesItselfInBothGenerations() {
    for (Revision revision : List.of(Revision.V2025_06_18, Revision.V2026_07_28)) {
      Reply<Introduction> reply = faults.server.introduction(new RecordingExchange(revision));
      assertThat(reply).isInstanceOf(Reply.Answered.class);
      Introduction introduction = ((Reply.Answered<Introduction>) reply).result();
      assertThat(introduction.revision().hasSessions()).isEqualTo(revision.hasSessions());
      assertThat(introduction.serverInfo().textAt("name")).isEqualTo("faultserver");
      assertThat(introduction.capabilities().get("tools")).isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource({"status_400, 400", "status_401, 401", "status_403, 403"})
  void aRefusalIsFinal(String tool, int status) throws Exception {
    RecordingExchange exchange = new RecordingExchange();
    assertThat(Faults.failure(faults.call(tool, "{}", exchange)))
        .isInstanceOfSatisfying(
            Failure.Refused.class, refused -> assertThat(refused.code()).isEqualTo(status));
    assertThat(exchange.events()).containsExactly("sent", "not taken");
    assertThat(faults.ledger().calls()).hasSize(1);
    faults.ok("read_ok", "{}");
    assertThat(faults.ledger().events("initialize")).hasSize(1);
  }

  @Test
  void anErrorOfTheServersKeepsItsCodeAndItsText() {
    RecordingExchange exchange = new RecordingExchange();
    assertThat(Faults.failure(faults.call("rpc_error", "{\"code\":-32602}", exchange)))
        .isInstanceOfSatisfying(
            Failure.Refused.class, refused -> assertThat(refused.code()).isEqualTo(-32602));
    assertThat(exchange.errors)
        .singleElement()
        .satisfies(e -> assertThat(e.code()).isEqualTo(-32602));
    assertThat(faults.failure("rpc_error", "{\"code\":-32603}"))
        .isInstanceOf(Failure.ServerError.class);
    assertThat(faults.failure("rpc_error", "{\"code\":-32000}"))
        .isInstanceOf(Failure.ServerError.class);
  }

  @Test
  void theTimeToComeBackIsReadInBothForms() {
    assertThat(faults.failure("status_429", "{\"retry_after\":2}"))
        .isInstanceOfSatisfying(
            Failure.Limited.class,
            limited -> assertThat(limited.retryAfter()).isEqualTo(Duration.ofSeconds(2)));
    assertThat(faults.failure("retry_after_date", "{\"seconds\":30}"))
        .isInstanceOfSatisfying(
            Failure.Limited.class,
            limited ->
                assertThat(limited.retryAfter())
                    .isBetween(Duration.ofSeconds(28), Duration.ofSeconds(32)));
    assertThat(faults.failure("status_429", "{\"retry_after\":\"soon\",\"scope\":\"rubbish\"}"))
        .isInstanceOfSatisfying(
            Failure.Limited.class, limited -> assertThat(limited.retryAfter()).isNull());
  }

  @Test
  void aServersErrorIsNoRefusal() {
    assertThat(faults.failure("status_500", "{}")).isInstanceOf(Failure.ServerError.class);
    assertThat(faults.failure("status_503", "{}")).isInstanceOf(Failure.ServerError.class);
    assertThat(faults.failure("status_524", "{}"))
        .isInstanceOfSatisfying(
            Failure.ServerError.class,
            error -> {
              assertThat(error.code()).isEqualTo(524);
              assertThat(error.detail()).doesNotContain("<").hasSizeLessThan(330);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"write_then_reset", "write_then_close", "write_then_truncate"})
  void aConnectionThatEndsAfterTheRequestIsBroken(String tool) throws Exception {
    RecordingExchange exchange = new RecordingExchange();
    assertThat(Faults.failure(faults.call(tool, "{\"marker\":\"b\"}", exchange)))
        .isInstanceOf(Failure.Broken.class);
    assertThat(exchange.events()).containsExactly("sent");
    assertThat(faults.ledger().callsMarked("b")).hasSize(1);
    assertThat(faults.ledger().effectsMarked("b")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no_reply_202", "no_reply_200", "garbage_json", "html_200", "wrong_id"})
  void whatIsNoAnswerIsGarbledAtOnce(String tool) throws Exception {
    assertThat(faults.failure(tool, "{}"))
        .isInstanceOfSatisfying(
            Failure.Garbled.class,
            garbled -> assertThat(garbled.detail()).doesNotContain("<html").hasSizeLessThan(400));
    assertThat(faults.ledger().callsOf(tool)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "sse"})
  void oddAnswersAreAnswersStill(String reply) {
    String form = "{\"reply\":\"" + reply + "\"}";
    faults.ok("string_id", form);
    faults.ok("duplicate_reply", form);
    faults.ok("unicode_separators", "{\"split\":true,\"reply\":\"" + reply + "\"}");
    faults.ok("garbage_stdout", "{}");
  }

  @Test
  void progressIsSeenThoughNobodyAskedForIt() {
    RecordingExchange exchange = new RecordingExchange();
    Faults.ok(faults.call("slow_progress", "{\"every_ms\":20,\"count\":3}", exchange));
    assertThat(exchange.progress).hasSize(3);
  }

  @Test
  void aBrokenStreamIsResumedWithoutASecondCall() throws Exception {
    RecordingExchange exchange = new RecordingExchange();
    Faults.ok(faults.call("sse_drop", "{\"drops\":2,\"work_ms\":100}", exchange));
    assertThat(exchange.timesSent()).isEqualTo(1);
    assertThat(faults.ledger().callsOf("sse_drop")).hasSize(1);
    assertThat(faults.ledger().events("resume")).isNotEmpty();
  }

  @Test
  void aStreamThatNobodyCanResumeIsBroken() throws Exception {
    assertThat(faults.failure("sse_drop_lost", "{}")).isInstanceOf(Failure.Broken.class);
    assertThat(faults.ledger().callsOf("sse_drop_lost")).hasSize(1);
    RecordingExchange modern = new RecordingExchange(Revision.V2026_07_28);
    assertThat(Faults.failure(faults.call("sse_drop", "{}", modern)))
        .isInstanceOf(Failure.Broken.class);
  }

  @Test
  void aResultOverTheLimitIsRefusedAndTheSessionLives() throws Exception {
    for (String reply : List.of("json", "sse")) {
      RecordingExchange exchange = new RecordingExchange().maxResultBytes(100_000);
      String arguments = "{\"bytes\":9437184,\"reply\":\"" + reply + "\"}";
      assertThat(Faults.failure(faults.call("huge_result", arguments, exchange)))
          .isInstanceOfSatisfying(
              Failure.TooLarge.class,
              large -> {
                assertThat(large.limitBytes()).isEqualTo(100_000);
                assertThat(large.bytes()).isGreaterThan(100_000);
              });
      faults.ok("read_ok", "{}");
    }
    assertThat(faults.ledger().events("initialize")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "sse"})
  void theLimitIsThatOfTheResultToTheByte(String reply) {
    String arguments = "{\"bytes\":50000,\"reply\":\"" + reply + "\"}";
    int length = faults.ok("huge_result", arguments).length();
    Faults.ok(
        faults.call("huge_result", arguments, new RecordingExchange().maxResultBytes(length)));
    assertThat(
            Faults.failure(
                faults.call(
                    "huge_result", arguments, new RecordingExchange().maxResultBytes(length - 1))))
        .isEqualTo(new Failure.TooLarge(length, length - 1));
  }

  @Test
  void theServersQuestionsAreAnsweredWhileTheCallIsPending() {
    RecordingExchange exchange =
        new RecordingExchange()
            .client(
                question ->
                    new Message.Result(
                        question.id(), Json.of("{\"roots\":[],\"action\":\"accept\"}")));
    Faults.ok(faults.call("need_ping", "{\"timeout_ms\":3000}", exchange));
    Faults.ok(faults.call("need_roots", "{}", exchange));
    Faults.ok(faults.call("need_elicitation", "{}", exchange));
    assertThat(exchange.questions)
        .extracting(Message.Request::method)
        .containsExactly("roots/list", "elicitation/create");
  }

  @Test
  void whatTheServerSaysOutsideRequestsIsHeard() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    faults.server.listen((_, notification) -> heard.add(notification.method()));
    faults.ok("read_ok", "{}");
    // The stream is opened beside the first request: it is there when the change is heard on it.
    assertThat(
            Faults.eventually(
                () -> {
                  faults.ok("switch_toolset", "{\"to\":\"v2\"}");
                  return heard.contains("notifications/tools/list_changed");
                }))
        .isTrue();
  }
}
