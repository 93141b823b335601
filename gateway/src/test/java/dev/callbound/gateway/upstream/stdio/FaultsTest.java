package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that the fault server can do wrong over stdio, one process for all. */
@Timeout(30)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
  private StdioServer server;
  private Path ledger;

  @BeforeAll
  void start(@TempDir Path folder) {
    ledger = folder.resolve("ledger.jsonl");
    server = Processes.server(Processes.faults("--ledger", ledger.toString()));
    server.listen((_, notification) -> heard.add(notification.method()));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void worksStill() throws Exception {
    assertThat(Calls.text(Calls.call(server, "read_ok", "{\"text\":\"still\"}")))
        .isEqualTo("still");
    assertThat(server.inFlight()).isZero();
  }

  @Test
  void callThatNeverComesBackEndsWhenItIsGivenUp() throws Exception {
    RecordingExchange exchange = new RecordingExchange();

    Reply<Json> reply = Calls.within(SHORT, server, "read_hang", "{}", exchange);

    assertThat(Calls.failure(reply))
        .isEqualTo(new Failure.Broken("given up before an answer came"));
    worksStill();
  }

  @Test
  void progressIsReportedUnasked() throws Exception {
    RecordingExchange exchange = new RecordingExchange();

    Reply<Json> reply =
        Calls.call(server, "slow_progress", "{\"every_ms\":20,\"count\":5}", exchange);

    assertThat(Calls.text(reply)).isEqualTo("done");
    assertThat(exchange.progress).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "ping"})
  void heartbeatIsASignOfLifeAndNoProgress(String as) throws Exception {
    RecordingExchange exchange = new RecordingExchange();

    Calls.within(
        SHORT, server, "heartbeat_forever", "{\"every_ms\":20,\"as\":\"" + as + "\"}", exchange);

    assertThat(exchange.progress).isEmpty();
    assertThat(exchange.events()).contains("life");
    worksStill();
  }

  @Test
  void twoHundredLateAnswersHarmNobody() throws Exception {
    List<Calls.Begun> calls =
        IntStream.range(0, 200)
            .mapToObj(
                _ ->
                    Calls.begin(
                        server, "late_response", "{\"delay_ms\":400}", new RecordingExchange()))
            .toList();
    assertThat(Eventually.holds(() -> server.inFlight() == 200)).isTrue();
    long late = server.connection().inbox().lateAnswers();

    calls.forEach(call -> call.thread().interrupt());

    for (Calls.Begun call : calls) {
      assertThat(Calls.failure(call.await()).detail()).isEqualTo("given up before an answer came");
    }
    assertThat(server.inFlight()).isZero();
    assertThat(Eventually.holds(() -> server.connection().inbox().lateAnswers() > late)).isTrue();
    worksStill();
  }

  @Test
  void interruptIsAnsweredAtOnceAndCancelsAtTheServer() throws Exception {
    RecordingExchange exchange = new RecordingExchange();
    Calls.Begun call =
        Calls.begin(
            server,
            "write_slow",
            "{\"when\":\"after\",\"delay_ms\":3000,\"honor_cancel\":true,\"marker\":\"c21\"}",
            exchange);
    assertThat(exchange.awaitSent()).isTrue();
    assertThat(Eventually.holds(() -> Files.readString(ledger).contains("c21"))).isTrue();

    call.thread().interrupt();

    assertThat(Calls.failure(call.await())).isInstanceOf(Failure.Broken.class);
    assertThat(call.flag().get()).isTrue();
    assertThat(
            Eventually.holds(
                Duration.ofSeconds(1),
                () ->
                    Files.readAllLines(ledger).stream()
                        .anyMatch(
                            line ->
                                line.contains("\"kind\":\"cancel\"")
                                    && line.contains("write_slow"))))
        .isTrue();
    worksStill();
  }

  @Test
  void noiseIsSkippedAndNoted() throws Exception {
    RecordingExchange exchange = new RecordingExchange();

    Reply<Json> reply = Calls.call(server, "garbage_stdout", "{\"lines\":200}", exchange);

    assertThat(Calls.text(reply)).isEqualTo("ok after noise");
    assertThat(exchange.notes).hasSize(1);
    assertThat(exchange.notes.getFirst())
        .startsWith("200 lines on the server's stdout were no messages; the last: ");
  }

  @Test
  void floodOnStderrIsDrained() throws Exception {
    Reply<Json> reply = Calls.call(server, "stderr_flood", "{\"bytes\":4194304}");

    assertThat(Calls.text(reply)).isEqualTo("ok after flood");
  }

  @ParameterizedTest
  @ValueSource(strings = {"truncated_body", "garbage_json", "html_200", "wrong_id"})
  void lineThatAnswersNobodyLeavesTheCallToItsDeadline(String tool) throws Exception {
    Reply<Json> reply = Calls.within(SHORT, server, tool, "{}", new RecordingExchange());

    assertThat(Calls.failure(reply).detail()).isEqualTo("given up before an answer came");
    worksStill();
  }

  @ParameterizedTest
  @ValueSource(strings = {"string_id", "duplicate_reply"})
  void answerUnderTheIdAsAStringOrTwiceIsTaken(String tool) throws Exception {
    assertThat(Calls.call(server, tool, "{}")).isInstanceOf(Reply.Answered.class);
    worksStill();
  }

  @Test
  void separatorsOfUnicodeAndCharactersCutInTwoAreText() throws Exception {
    String expected = "before\u2028middle\u2029after\u0085end \uD83D\uDE80";

    assertThat(Calls.text(Calls.call(server, "unicode_separators", "{\"split\":true}")))
        .isEqualTo(expected);
  }

  @Test
  void resultOverTheLimitIsRefusedAndItsNeighboursLive() throws Exception {
    Calls.Begun beside =
        Calls.begin(server, "read_slow", "{\"delay_ms\":800}", new RecordingExchange());

    Failure failure =
        Calls.failure(
            Calls.call(
                server,
                "huge_result",
                "{\"bytes\":9437184}",
                new RecordingExchange().maxResultBytes(Processes.MAX_RESULT)));

    assertThat(failure).isInstanceOf(Failure.TooLarge.class);
    assertThat(((Failure.TooLarge) failure).limitBytes()).isEqualTo(Processes.MAX_RESULT);
    assertThat(Calls.text(beside.await())).isEqualTo("slow but fine");
    worksStill();
  }

  @Test
  void twentyLargeResultsAtOnceAreEachRefused() throws Exception {
    List<Calls.Begun> calls =
        IntStream.range(0, 20)
            .mapToObj(
                _ ->
                    Calls.begin(
                        server,
                        "huge_result",
                        "{\"bytes\":" + (Processes.MAX_RESULT + 200_000) + "}",
                        new RecordingExchange()))
            .toList();

    for (Calls.Begun call : calls) {
      assertThat(Calls.failure(call.await())).isInstanceOf(Failure.TooLarge.class);
    }
    worksStill();
  }

  @Test
  void resultIsMeasuredToTheByte() throws Exception {
    Json result = answered(Calls.call(server, "huge_result", "{\"bytes\":10000}"));
    RecordingExchange exact = new RecordingExchange().maxResultBytes(result.length());
    RecordingExchange less = new RecordingExchange().maxResultBytes(result.length() - 1);

    assertThat(Calls.call(server, "huge_result", "{\"bytes\":10000}", exact))
        .isInstanceOf(Reply.Answered.class);
    assertThat(Calls.failure(Calls.call(server, "huge_result", "{\"bytes\":10000}", less)))
        .isEqualTo(new Failure.TooLarge(result.length(), result.length() - 1));
  }

  private static Json answered(Reply<Json> reply) {
    if (reply instanceof Reply.Answered<Json>(Json result)) {
      return result;
    }
    throw new AssertionError(reply);
  }

  @ParameterizedTest
  @ValueSource(strings = {"need_elicitation", "need_sampling", "need_roots"})
  void questionIsPutToTheClientWhoseCallItIs(String tool) throws Exception {
    RecordingExchange exchange =
        new RecordingExchange()
            .client(
                question ->
                    new Message.Result(
                        question.id(), Json.of("{\"action\":\"decline\",\"roots\":[]}")));

    assertThat(Calls.call(server, tool, "{}", exchange)).isInstanceOf(Reply.Answered.class);
    assertThat(exchange.questions).hasSize(1);
    worksStill();
  }

  @Test
  void questionGoesToTheOneClientThatHasSeveralCallsInFlight() throws Exception {
    RecordingExchange client =
        new RecordingExchange()
            .client(question -> new Message.Result(question.id(), Json.of("{\"roots\":[]}")));
    Calls.Begun beside = Calls.begin(server, "read_slow", "{\"delay_ms\":1500}", client);
    assertThat(client.awaitSent()).isTrue();

    assertThat(Calls.call(server, "need_roots", "{}", client)).isInstanceOf(Reply.Answered.class);

    assertThat(client.questions).hasSize(1);
    assertThat(beside.reply()).isNotDone();
    beside.thread().interrupt();
    beside.await();
  }

  @Test
  void questionThatCouldBeForSeveralClientsIsRefused() throws Exception {
    RecordingExchange other = new RecordingExchange();
    Calls.Begun beside = Calls.begin(server, "read_slow", "{\"delay_ms\":5000}", other);
    assertThat(other.awaitSent()).isTrue();
    RecordingExchange exchange = new RecordingExchange();

    Reply<Json> reply = Calls.call(server, "need_roots", "{\"timeout_ms\":3000}", exchange);

    assertThat(reply.toString()).contains("several clients");
    assertThat(exchange.questions).isEmpty();
    assertThat(other.questions).isEmpty();
    beside.thread().interrupt();
    beside.await();
  }

  @Test
  void clientThatDoesNotAnswerIsNotWaitedForAfterTheCall() throws Exception {
    RecordingExchange exchange =
        new RecordingExchange()
            .client(
                question -> {
                  LockSupport.parkNanos(10_000_000_000L);
                  return new Message.ErrorResponse(question.id(), RpcError.of(-1, "gone"));
                });

    Reply<Json> reply =
        Calls.within(SHORT, server, "need_roots", "{\"timeout_ms\":8000}", exchange);

    assertThat(Calls.failure(reply)).isInstanceOf(Failure.Broken.class);
    worksStill();
  }

  @Test
  void pingIsAnsweredInMidCall() throws Exception {
    assertThat(Calls.call(server, "need_ping", "{\"timeout_ms\":1000}"))
        .isInstanceOf(Reply.Answered.class);
    assertThat(Files.readString(ledger)).contains("\"kind\":\"answer\"");
  }

  @Test
  void changedListIsHeardByAllEvenInMidCall() throws Exception {
    RecordingExchange exchange = new RecordingExchange();

    Calls.call(server, "switch_toolset", "{\"to\":\"v2\"}", exchange);

    assertThat(Eventually.holds(() -> heard.contains("notifications/tools/list_changed"))).isTrue();
    assertThat(exchange.notifications)
        .extracting(Message.Notification::method)
        .doesNotContain("notifications/tools/list_changed");
  }

  @Test
  void logMessageGoesToTheCallThatItBelongsTo() throws Exception {
    RecordingExchange exchange = new RecordingExchange();

    Calls.within(SHORT, server, "heartbeat_forever", "{\"every_ms\":20,\"as\":\"log\"}", exchange);

    assertThat(exchange.notifications).isNotEmpty();
    assertThat(exchange.notifications.getFirst().method()).isEqualTo("notifications/message");
  }

  @Test
  void crashBreaksTheCallAndTheNextOneWorks() throws Exception {
    try (StdioServer crashing = Processes.server(Processes.faults())) {
      RecordingExchange slow = new RecordingExchange();
      Calls.Begun beside = Calls.begin(crashing, "read_slow", "{\"delay_ms\":5000}", slow);
      assertThat(slow.awaitSent()).isTrue();

      Failure failure =
          Calls.failure(
              Calls.call(
                  crashing,
                  "crash_mid_call",
                  "{\"when\":\"after\",\"marker\":\"c37\"}",
                  new RecordingExchange()));

      assertThat(failure).isInstanceOf(Failure.Broken.class);
      assertThat(failure.detail()).startsWith("the process ended with exit code ");
      assertThat(Calls.failure(beside.await())).isEqualTo(failure);
      assertThat(Calls.text(Calls.call(crashing, "read_ok", "{\"text\":\"again\"}")))
          .isEqualTo("again");
    }
  }

  @Test
  void statusBehindTheServerIsTold() throws Exception {
    assertThat(
            Calls.failure(Calls.call(server, "status_429", "{\"retry_after\":2,\"scope\":\"x\"}")))
        .isInstanceOfSatisfying(
            Failure.Limited.class,
            limited -> assertThat(limited.retryAfter()).isEqualTo(Duration.ofSeconds(2)));
  }
}
