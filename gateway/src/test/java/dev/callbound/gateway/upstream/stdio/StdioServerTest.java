package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.ServerConfig.Stdio;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class StdioServerTest {
  private static final String OK = "answer $id '{\"content\":[],\"x-unknown\":1.50}'";

  private final RecordingExchange exchange = new RecordingExchange();
  private @Nullable StdioServer server;

  @TempDir private Path folder;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  private StdioServer start(Stdio stdio) {
    server = Processes.server(stdio);
    return server;
  }

  @Test
  void nothingIsStartedBeforeItIsNeeded() {
    assertThat(start(Processes.answering(OK)).connection()).isNull();
  }

  @Test
  void resultIsTheBytesThatTheServerWrote() throws Exception {
    Reply<Json> reply = Calls.call(start(Processes.answering(OK)), "t", "{}", exchange);

    assertThat(reply)
        .isEqualTo(new Reply.Answered<>(Json.of("{\"content\":[],\"x-unknown\":1.50}")));
    assertThat(exchange.events()).containsExactly("sent");
    assertThat(server.inFlight()).isZero();
  }

  @Test
  void introducesItselfByTheRevisionThatTheServerChose() {
    Reply<Introduction> reply = start(Processes.answering(OK)).introduction(exchange);

    assertThat(reply)
        .isEqualTo(
            new Reply.Answered<>(
                new Introduction(
                    Revision.V2025_11_25, Json.of("{\"name\":\"sh\"}"), JsonObject.EMPTY, null)));
  }

  @Test
  void oneProcessServesAllCalls() throws Exception {
    start(Processes.answering("answer $id \"{\\\"content\\\":[{\\\"text\\\":\\\"$$\\\"}]}\""));

    List<Calls.Begun> calls =
        IntStream.range(0, 50)
            .mapToObj(_ -> Calls.begin(server, "t", "{}", new RecordingExchange()))
            .toList();

    String pid = Calls.text(Calls.call(server, "t", "{}"));
    for (Calls.Begun call : calls) {
      assertThat(Calls.text(call.await())).isEqualTo(pid);
    }
  }

  @Test
  void errorAnswerIsToldAsItCame() throws Exception {
    start(
        Processes.answering(
            "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32602,\"message\":\"no\"}}\\n'"
                + " $id"));

    Failure failure = Calls.failure(Calls.call(server, "t", "{}", exchange));

    assertThat(failure).isEqualTo(new Failure.Refused(-32602, "error -32602: no"));
    assertThat(exchange.errors).hasSize(1);
  }

  @Test
  void programThatDoesNotExistIsNamed() throws Exception {
    start(Processes.command("callbound-no-such-program", List.of()));

    assertThat(Calls.failure(Calls.call(server, "t", "{}", exchange)))
        .isEqualTo(
            new Failure.NotSent(
                "the process could not be started: no such program on the PATH:"
                    + " callbound-no-such-program"));
    assertThat(exchange.timesSent()).isZero();
  }

  @Test
  void workingDirectoryThatDoesNotExistIsNamed() throws Exception {
    Stdio stdio =
        new Stdio("sh", List.of("-c", "true"), Map.of(), folder.resolve("no"), Processes.GRACE);

    assertThat(Calls.failure(Calls.call(start(stdio), "t", "{}")).detail())
        .contains("its working directory does not exist: " + folder.resolve("no"));
  }

  @Test
  void processThatEndsBeforeTheHandshakeSaysItsLastWords() throws Exception {
    start(Processes.shell("echo 'first words' >&2; echo 'no licence' >&2; exit 3"));

    Failure failure = Calls.failure(Calls.call(server, "t", "{}", exchange));

    assertThat(failure)
        .isEqualTo(
            new Failure.NotSent(
                "the process ended with exit code 3; its last line on stderr: no licence"));
    assertThat(exchange.notes)
        .containsExactly("the process ended with exit code 3\nstderr:\nfirst words\nno licence");
    assertThat(exchange.timesSent()).isZero();
  }

  @Test
  void secretsAreTakenOutOfLastWords() throws Exception {
    Stdio stdio = Processes.shell("echo token=hunter22 >&2; exit 1");
    server =
        new StdioServer(
            Processes.config(stdio, Protocol.AUTO, Duration.ofSeconds(5)),
            stdio,
            ProcessLedger.NONE,
            text -> text.replace("hunter22", "***"));

    Failure failure = Calls.failure(Calls.call(server, "t", "{}", exchange));

    assertThat(failure.detail()).endsWith("token=***");
    assertThat(exchange.notes.toString()).contains("token=***").doesNotContain("hunter22");
  }

  @Test
  void processThatDoesNotAnswerTheHandshakeIsStopped() throws Exception {
    server =
        Processes.server(
            Processes.shell("echo waiting >&2; exec sleep 30.0417"),
            Protocol.AUTO,
            Duration.ofMillis(400),
            ProcessLedger.NONE);

    Failure failure = Calls.failure(Calls.call(server, "t", "{}", exchange));

    assertThat(failure)
        .isEqualTo(
            new Failure.NotSent(
                "the handshake failed: no answer to initialize within 400 ms; its last line on"
                    + " stderr: waiting"));
    assertThat(Eventually.holds(() -> Processes.having("30.0417").isEmpty())).isTrue();
  }

  @Test
  void handshakeGoesOnWhenTheFirstCallerGivesUp() throws Exception {
    start(
        Processes.shell(
            "echo started >> "
                + folder.resolve("starts")
                + "; until [ -e "
                + folder.resolve("go")
                + " ]; do sleep 0.02; done\n"
                + Processes.answering(OK).args().get(1)));
    Reply<Json> first = Calls.within(Duration.ofMillis(100), server, "t", "{}", exchange);
    Files.createFile(folder.resolve("go"));

    assertThat(first)
        .isEqualTo(
            Reply.failed(
                new Failure.NotSent("given up while the server's process was being started")));
    assertThat(Calls.call(server, "t", "{}")).isInstanceOf(Reply.Answered.class);
    assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(1);
  }

  @Test
  void deathBreaksWhatWasSentWithinHalfASecondAndTheNextCallStartsANewProcess() throws Exception {
    start(
        Processes.answering(
            "case $line in *die*) echo 'out of memory' >&2; exit 7;; *hang*) ;; *)"
                + OK
                + ";; esac"));
    RecordingExchange beside = new RecordingExchange();
    Calls.Begun hanging = Calls.begin(server, "hang", "{}", beside);
    assertThat(beside.awaitSent()).isTrue();
    long before = System.nanoTime();

    Failure failure = Calls.failure(Calls.call(server, "die", "{}", exchange));

    Failure expected =
        new Failure.Broken(
            "the process ended with exit code 7; its last line on stderr: out of memory");
    assertThat(failure).isEqualTo(expected);
    assertThat(Calls.failure(hanging.await())).isEqualTo(expected);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(500));
    assertThat(beside.notes)
        .containsExactly("the process ended with exit code 7\nstderr:\nout of memory");
    assertThat(Calls.call(server, "t", "{}")).isInstanceOf(Reply.Answered.class);
  }

  @Test
  void answerWrittenJustBeforeTheEndCounts() throws Exception {
    // The JDK takes what is left of the output away when the process ends: a race, so tried often.
    for (int i = 0; i < 20; i++) {
      try (StdioServer once = Processes.server(Processes.answering(OK + "; exit 0"))) {
        assertThat(Calls.call(once, "t", "{}")).isInstanceOf(Reply.Answered.class);
      }
    }
  }

  @Test
  void processThatClosesItsOutputIsReplaced() throws Exception {
    start(Processes.answering("exec >&-; exec sleep 30.0418"));

    Failure failure = Calls.failure(Calls.call(server, "t", "{}", exchange));

    assertThat(failure).isEqualTo(new Failure.Broken("the process closed its output"));
    assertThat(Eventually.holds(() -> Processes.having("30.0418").isEmpty())).isTrue();
  }

  @Test
  void requestThatWasNotWrittenBeforeTheDeathWasNotSent() throws Exception {
    // It answers the handshake, reads nothing more, and dies when it is told to.
    start(
        Processes.shell(
            "read -r line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
                + "\"2025-11-25\"}}'; until [ -e "
                + folder.resolve("die")
                + " ]; do sleep 0.02; done; exit 1"));
    String large = "{\"text\":\"" + "x".repeat(1 << 20) + "\"}";
    RecordingExchange first = new RecordingExchange();
    Calls.Begun blocked = Calls.begin(server, "t", large, first);
    assertThat(first.awaitSent()).isTrue();
    RecordingExchange second = new RecordingExchange();
    Calls.Begun queued = Calls.begin(server, "t", "{}", second);
    assertThat(Eventually.holds(() -> server.inFlight() == 2)).isTrue();
    Files.createFile(folder.resolve("die"));

    assertThat(Calls.failure(blocked.await())).isInstanceOf(Failure.Broken.class);
    assertThat(Calls.failure(queued.await())).isInstanceOf(Failure.NotSent.class);
    assertThat(second.timesSent()).isZero();
  }

  @Test
  void processThatDoesNotReadHoldsUpNobodyAndWhatIsGivenUpIsNeverSent() throws Exception {
    start(
        Processes.shell(
            "read -r line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
                + "\"2025-11-25\"}}'; exec sleep 30.0419"));
    String large = "{\"text\":\"" + "x".repeat(1 << 20) + "\"}";
    Calls.Begun blocked = Calls.begin(server, "t", large, exchange);
    assertThat(exchange.awaitSent()).isTrue();
    RecordingExchange second = new RecordingExchange();

    Reply<Json> queued = Calls.within(Duration.ofMillis(100), server, "t", "{}", second);
    blocked.thread().interrupt();

    assertThat(Calls.failure(queued))
        .isEqualTo(new Failure.NotSent("given up before an answer came"));
    assertThat(second.timesSent()).isZero();
    assertThat(Calls.failure(blocked.await()))
        .isEqualTo(new Failure.Broken("given up before an answer came"));
    assertThat(blocked.flag().get()).isTrue();
    assertThat(server.inFlight()).isZero();
  }

  @Test
  void secondEndInARowIsFollowedByAPauseThatARequestWaitsFor() throws Exception {
    start(Processes.shell("echo x >> " + folder.resolve("starts") + "; exit 1"));
    Calls.call(server, "t", "{}");
    Calls.call(server, "t", "{}");
    long before = System.nanoTime();

    Reply<Json> third = Calls.call(server, "t", "{}");

    assertThat(Calls.failure(third)).isInstanceOf(Failure.NotSent.class);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(150));
    assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(3);
  }

  @Test
  void requestGivenUpDuringThePauseSaysHowTheProcessEndedAndStartsNone() throws Exception {
    start(Processes.shell("echo x >> " + folder.resolve("starts") + "; exit 9"));
    Calls.call(server, "t", "{}");
    Calls.call(server, "t", "{}");

    Reply<Json> third = Calls.within(Duration.ofMillis(50), server, "t", "{}", exchange);

    assertThat(Calls.failure(third))
        .isEqualTo(
            new Failure.NotSent(
                "given up while the server's process was being started; before that, the process"
                    + " ended with exit code 9"));
    assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(2);
  }

  @Test
  void environmentIsWhatAProgramNeedsAndWhatTheConfigAdds() throws Exception {
    Stdio script =
        Processes.answering(
            "answer $id \"{\\\"content\\\":[{\\\"text\\\":\\\"$TOKEN in $PWD\\\"}]}\"");
    Stdio stdio =
        new Stdio(
            script.command(),
            script.args(),
            Map.of("TOKEN", Secret.of("s3cret-value")),
            folder.toRealPath(),
            Processes.GRACE);

    assertThat(Calls.text(Calls.call(start(stdio), "t", "{}")))
        .isEqualTo("s3cret-value in " + folder.toRealPath());
  }

  @Test
  void notificationGoesToTheProcessThatIsThereAndStartsNone() throws Exception {
    Path heard = folder.resolve("heard");
    String script = Processes.answering(OK).args().get(1);
    start(
        Processes.shell(
            script.replace("read -r line; do", "read -r line; do echo \"$line\" >> " + heard)));
    Message.Notification notification =
        new Message.Notification("notifications/roots/list_changed", JsonObject.EMPTY);

    server.send(notification);
    assertThat(server.connection()).isNull();
    Calls.call(server, "t", "{}");
    server.send(notification);

    assertThat(
            Eventually.holds(
                () -> Files.readString(heard).contains("notifications/roots/list_changed")))
        .isTrue();
  }

  @Test
  void metaOfTheClientIsKeptBesideOurToken() throws Exception {
    Path heard = folder.resolve("heard");
    start(Processes.answering("echo \"$line\" >> " + heard + "; " + OK));
    JsonObject params =
        JsonObject.of("name", Json.text("t"))
            .with("_meta", JsonObject.of("vendor/x", Json.number(7)));

    server.request("tools/call", params, exchange);

    assertThat(Files.readString(heard))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"t\","
                + "\"_meta\":{\"vendor/x\":7,\"progressToken\":2}}}\n");
  }

  @Test
  void closedServerStartsNothing() throws Exception {
    start(Processes.answering(OK)).close();
    server.close();

    assertThat(Calls.failure(Calls.call(server, "t", "{}")))
        .isEqualTo(new Failure.NotSent("the connection was closed"));
  }

  @Test
  void closingEndsWhatIsInFlight() throws Exception {
    start(Processes.answering(":"));
    Calls.Begun hanging = Calls.begin(server, "t", "{}", exchange);
    assertThat(exchange.awaitSent()).isTrue();

    server.close();

    assertThat(Calls.failure(hanging.await()))
        .isEqualTo(new Failure.Broken("the connection was closed"));
  }
}
