package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.LogLines;
import dev.callbound.gateway.TokenCommand;
import dev.callbound.gateway.config.HeadersCommand;
import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.gateway.upstream.http.ScriptedHttp.Said;
import dev.callbound.gateway.upstream.http.ScriptedHttp.Seen;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CredentialsTest {
  private static final String FIRST = "token-one";
  private static final String SECOND = "token-two";
  private static final Duration AMPLE = Duration.ofSeconds(10);

  @TempDir Path folder;
  private final Secrets secrets = Secrets.of(List.of());
  private final CountDownLatch go = new CountDownLatch(1);
  private TokenCommand command;
  private ScriptedHttp http;
  private StreamableHttpServer server;
  private volatile String wanted = FIRST;

  @BeforeEach
  void start() throws Exception {
    command = TokenCommand.in(folder, FIRST);
    http = new ScriptedHttp(this::answer);
    server = server(Protocol.V2025_11_25, AMPLE);
  }

  @AfterEach
  void stop() {
    go.countDown();
    server.close();
    http.close();
  }

  @Test
  void headersAreFetchedOnceAndGoOverTheConfiguredOnes() throws Exception {
    Faults.ok(call("read"));
    Faults.ok(call("read"));

    assertThat(command.runs()).isEqualTo(1);
    assertThat(http.seen).allSatisfy(seen -> assertThat(token(seen)).isEqualTo(FIRST));
    assertThat(http.seen).allSatisfy(seen -> assertThat(seen.header("X-Team")).isEqualTo("blue"));
  }

  @Test
  void aRequestThatIsRefusedIsSentOnceMoreWithRenewedHeaders() throws Exception {
    Faults.ok(call("read"));
    rotate();
    RecordingExchange exchange = new RecordingExchange();

    Faults.ok(call("write", exchange));

    assertThat(exchange.events()).containsExactly("sent", "not taken", "sent");
    assertThat(exchange.notes).containsExactly("credentials renewed");
    assertThat(command.runs()).isEqualTo(2);
    assertThat(tokensOf("write")).containsExactly(FIRST, SECOND);
  }

  @Test
  void whoeverIsRefusedLaterTakesWhatHasBeenRenewed() throws Exception {
    Faults.ok(call("read"));
    FutureTask<Reply<Json>> slow = begin("slow");
    assertThat(Eventually.holds(() -> tokensOf("slow").size() == 1)).isTrue();
    rotate();
    Faults.ok(call("read"));
    assertThat(command.runs()).isEqualTo(2);

    go.countDown();

    Faults.ok(slow.get());
    assertThat(tokensOf("slow")).containsExactly(FIRST, SECOND);
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void aStreamThatIsRefusedIsOpenedWithRenewedHeaders() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    server.listen((_, notification) -> heard.add(notification.method()));
    Faults.ok(call("read"));
    assertThat(Eventually.holds(() -> streams().equals(List.of(FIRST)))).isTrue();
    rotate();

    go.countDown();

    assertThat(Eventually.holds(() -> !heard.isEmpty())).isTrue();
    assertThat(heard).containsExactly("notifications/tools/list_changed");
    assertThat(streams()).containsExactly(FIRST, SECOND);
    assertThat(command.runs()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStreamThatIsRefusedIsAskedForAgainWhereHeadersCanBeRenewed(boolean renewable)
      throws Exception {
    go.countDown();
    wanted = SECOND;
    Terms terms =
        new Terms(
            new Introduction(
                Revision.V2025_11_25, JsonObject.EMPTY.toJson(), JsonObject.EMPTY, null),
            null);
    try (Credentials credentials =
            Objects.requireNonNull(Credentials.of(transport(), "crm", secrets));
        Sender sender = new Sender(transport(), renewable ? credentials : null, 10)) {
      OneWay oneWay = new OneWay(sender);
      AnswerReader reader =
          new AnswerReader(
              Set.of(), new Redaction(secrets), InstantSource.system(), new StreamReader(sender));
      try (Listening listening =
          new Listening(
              sender, oneWay, new Requests(sender, oneWay, reader), Duration.ofMillis(20))) {
        List<String> heard = new CopyOnWriteArrayList<>();
        listening.listener(notification -> heard.add(notification.method()));
        listening.begin(terms);
        assertThat(Eventually.holds(() -> !streams().isEmpty())).isTrue();
        if (renewable) {
          assertThat(Eventually.holds(() -> streams().size() >= 3)).isTrue();
          command.prints(SECOND);
          assertThat(Eventually.holds(() -> !heard.isEmpty())).isTrue();
        } else {
          assertThat(Eventually.holds(Duration.ofMillis(500), () -> streams().size() > 1))
              .isFalse();
        }
      }
    }
  }

  @Test
  void whatIsRefusedAfterItsTimeIsNotSentAgain() throws Exception {
    Faults.ok(call("read"));
    RecordingExchange exchange = new RecordingExchange();
    FutureTask<Reply<Json>> late = begin("slow", exchange);
    assertThat(Eventually.holds(() -> tokensOf("slow").size() == 1)).isTrue();
    rotate();
    exchange.over();

    go.countDown();

    assertThat(Faults.failure(late.get()))
        .isInstanceOfSatisfying(
            Failure.NotSent.class, failure -> assertThat(failure.detail()).contains("time"));
    assertThat(exchange.events()).containsExactly("sent", "not taken");
    assertThat(tokensOf("slow")).hasSize(1);
  }

  @Test
  void aSecond401IsFinal() throws Exception {
    Faults.ok(call("read"));
    wanted = "something else";
    command.prints(SECOND);

    assertThat(refused(call("write"))).contains("401", "just fetched by headers_command");
    assertThat(tokensOf("write")).containsExactly(FIRST, SECOND);
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void theSameHeadersAreNotSentAgain() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    RecordingExchange exchange = new RecordingExchange();

    assertThat(refused(call("write", exchange)))
        .contains("401: no", "headers_command printed the same headers as before");
    assertThat(exchange.events()).containsExactly("sent", "not taken");
    assertThat(exchange.notes).isEmpty();
    assertThat(tokensOf("write")).hasSize(1);
  }

  @Test
  void oneThatFailsIsNamedAndNotRunForEachWhoIsRefused() throws Exception {
    Faults.ok(call("read"));
    List<FutureTask<Reply<Json>>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(begin("slow"));
    }
    assertThat(Eventually.holds(() -> tokensOf("slow").size() == 10)).isTrue();
    wanted = SECOND;
    command.does("echo 'log in first' >&2; exit 7");

    go.countDown();

    for (FutureTask<Reply<Json>> call : calls) {
      assertThat(refused(call.get()))
          .contains("headers_command ended with exit code 7; the log has");
    }
    assertThat(refused(call("write"))).contains("exit code 7");
    assertThat(command.runs()).isEqualTo(2);
    assertThat(tokensOf("slow")).hasSize(10);
  }

  @Test
  void aServerThatTakesThemAgainIsNotAskedForOthers() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    command.does("exit 1");
    refused(call("read"));

    wanted = FIRST;

    Faults.ok(call("read"));
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void headersThatWereRefusedAWhileAgoAreFetchedAnew() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    refused(call("read"));
    refused(call("read"));
    assertThat(command.runs()).isEqualTo(2);
    command.prints(SECOND);

    assertThat(Eventually.holds(() -> call("read") instanceof Reply.Answered<Json>)).isTrue();
    assertThat(command.runs()).isEqualTo(3);
  }

  @Test
  void withoutHeadersNothingIsSent() throws Exception {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "exit 3", "headers_command ended with exit code 3",
                "echo token", "headers_command printed no JSON",
                "echo '[]'", "headers_command printed JSON that is no object",
                "echo '{\"A b\": \"c\"}'", "a member whose name can't be a header's",
                "echo '{\"A\": 1}'", "a value for A that is no text",
                "printf '{\"A\": \"b\\\\nC: d\"}'", "a value for A with a line break",
                "head -c 70000 /dev/zero", "headers_command printed more than 64 KiB")
            .entrySet()) {
      command.does(wrong.getKey());
      RecordingExchange exchange = new RecordingExchange();
      try (StreamableHttpServer other = server(Protocol.V2025_11_25, AMPLE)) {
        assertThat(Faults.failure(Faults.call(other, "read", "{}", exchange)))
            .as(wrong.getKey())
            .isInstanceOfSatisfying(
                Failure.NotSent.class,
                failure -> assertThat(failure.detail()).contains(wrong.getValue()));
      }
      assertThat(exchange.events()).isEmpty();
    }
    assertThat(http.seen).isEmpty();
  }

  @Test
  void oneThatFailsBeforeAnythingWasFetchedIsNotRunForEachRequest() throws Exception {
    command.does("exit 3");
    for (int i = 0; i < 10; i++) {
      assertThat(Faults.failure(call("read")).detail()).contains("exit code 3");
    }
    assertThat(command.runs()).isEqualTo(1);

    command.recovers();

    assertThat(Eventually.holds(() -> call("read") instanceof Reply.Answered<Json>)).isTrue();
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void whatIsNoNameIsNotNamed() throws Exception {
    command.does("echo '{\"Authorization: Bearer s3cr3t-token\": \"\"}'");

    assertThat(Faults.failure(call("read")).detail())
        .isEqualTo("headers_command printed a member whose name can't be a header's");
  }

  @Test
  void whatItSaysOnStandardErrorIsInTheLogAloneAndWithoutWhatItPrints() throws Exception {
    String leaks = "printf 's3cr3t-token, no JSON'; echo '+ printf s3cr3t-token, by me' >&2; ";
    HeadersFetch cut =
        new HeadersFetch(command.configured(), "crm", http.url(), Duration.ofMillis(500));
    try (LogLines log = LogLines.of(Credentials.class)) {
      command.does(leaks + "exit 7");
      assertThat(Faults.failure(call("read")).detail())
          .isEqualTo("headers_command ended with exit code 7; the log has its last words");

      command.does(leaks + "while :; do sleep 1; done");
      try (Credentials credentials = new Credentials("crm", cut, secrets)) {
        assertThat(credentials.current())
            .isEqualTo(
                Reply.failed(
                    new Failure.NotSent(
                        "headers_command was still running after 500 ms, and was ended;"
                            + " the log has its last words")));
      }

      assertThat(log.troubles()).hasSize(2);
      assertThat(log.troubles())
          .allSatisfy(
              line ->
                  assertThat(line)
                      .contains("credentials=not_fetched", "its last words: + printf ***, by me")
                      .doesNotContain("s3cr3t"));
    }
  }

  @Test
  void onlyASuccessSaysThatTheHeadersAreRight() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    refused(call("read"));
    // A server that fails has not said anything about them.
    assertThat(Faults.failure(call("failing")).detail()).contains("500");

    refused(call("read"));

    assertThat(command.runs()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Revision.class,
      names = {"V2025_11_25", "V2026_07_28"})
  void aSlowCommandDoesNotCountAgainstAHandshake(Revision revision) throws Exception {
    boolean sessions = revision.hasSessions();
    command.does(
        "[ -e again ] && sleep 1; : > again;"
            + " printf '{\"Authorization\": \"Bearer %s\"}' \"$(cat token)\"");
    try (StreamableHttpServer other = server(Protocol.AUTO, Duration.ofMillis(500))) {
      Revision before = sessions ? Revision.V2026_07_28 : Revision.V2025_11_25;
      Faults.ok(Faults.call(other, "read", "{}", new RecordingExchange(before)));
      rotate();

      Faults.ok(Faults.call(other, "read", "{}", new RecordingExchange(revision)));
    }
    String first = sessions ? "server/discover" : "initialize";
    String then = sessions ? "initialize" : "server/discover";
    assertThat(http.methods())
        .filteredOn(List.of(first, then)::contains)
        .containsExactly(first, then, then);
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void aProgramThatIsNotThereIsNamed() throws Exception {
    ServerConfig.Http plain = Faults.transport(http.url());
    HeadersCommand missing =
        new HeadersCommand("headers_command", List.of("no-such-program", "s3cr3t"), folder);
    try (StreamableHttpServer other =
        Faults.connect(
            new ServerConfig.Http(
                plain.url(),
                Map.of(),
                missing,
                plain.addresses(),
                plain.connectTimeout(),
                plain.refusedStatuses()))) {
      assertThat(Faults.failure(Faults.call(other, "read", "{}", new RecordingExchange())).detail())
          .isEqualTo(
              "headers_command could not be started: no such program on the PATH: no-such-program");
    }
  }

  @Test
  void whatTheServerQuotesOfThemIsTakenOut() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;

    assertThat(refused(call("read"))).contains("no ***").doesNotContain(FIRST);
    rotate();
    assertThat(Eventually.holds(() -> call("read") instanceof Reply.Answered<Json>)).isTrue();
    assertThat(secrets.redact(FIRST + ", Bearer " + FIRST + ", " + SECOND))
        .isEqualTo("***, ***, ***");
  }

  @Test
  void theProtocolsOwnHeadersAreLeftOut() throws Exception {
    command.does(
        "echo '{\"Authorization\": \"Bearer token-one\", \"Mcp-Session-Id\": \"mine\","
            + " \"Content-Type\": \"text/plain\"}'");

    Faults.ok(call("read"));

    assertThat(http.seen)
        .allSatisfy(
            seen -> {
              assertThat(seen.header("Mcp-Session-Id")).isNotEqualTo("mine");
              assertThat(seen.header("Content-Type")).isNotEqualTo("text/plain");
            });
  }

  @Test
  void theCommandKnowsWhoseHeadersItIsToPrint() throws Exception {
    command.does(
        "printf '{\"Authorization\": \"Bearer token-one\", \"X-Env\": \"%s %s %s %s %s\"}'"
            + " \"$CALLBOUND_SERVER\" \"$CALLBOUND_SERVER_URL\" \"$CLAUDE_CODE_MCP_SERVER_NAME\""
            + " \"$CLAUDE_CODE_MCP_SERVER_URL\" \"${PATH:+inherited}\"");

    Faults.ok(call("read"));

    assertThat(http.seen.getLast().header("X-Env"))
        .isEqualTo("faults %1$s faults %1$s inherited".formatted(http.url()));
  }

  @Test
  void aWaitForTheCommandEndsWithTheCallAndTheCommandWithTheServer() throws Exception {
    command.does("trap '' TERM; echo $$ > pid.new; mv pid.new pid; while :; do sleep 1; done");
    FutureTask<Reply<Json>> task = new FutureTask<>(() -> call("read"));
    Thread caller = Thread.ofVirtual().start(task);
    assertThat(Eventually.holds(() -> Files.exists(folder.resolve("pid")))).isTrue();
    long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());

    caller.interrupt();

    assertThat(caller.join(Duration.ofSeconds(2))).isTrue();
    assertThat(Faults.failure(task.get())).isInstanceOf(Failure.NotSent.class);
    // It goes on for others, who may be waiting for it.
    assertThat(ProcessHandle.of(pid)).isPresent();

    server.close();

    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(command.runs()).isEqualTo(1);
  }

  @Test
  void aCommandThatHangsIsCutAtItsLimit() throws Exception {
    command.does("trap '' TERM; echo $$ > pid; while :; do sleep 1; done");
    HeadersFetch fetch =
        new HeadersFetch(command.configured(), "crm", http.url(), Duration.ofMillis(500));

    assertThat(fetch.fetch())
        .isEqualTo(new PrintedHeaders.Wrong("was still running after 500 ms, and was ended", ""));

    long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  private StreamableHttpServer server(Protocol protocol, Duration startTimeout) {
    return Faults.connect(transport(), protocol, startTimeout, secrets);
  }

  private ServerConfig.Http transport() {
    ServerConfig.Http plain = Faults.transport(http.url());
    return new ServerConfig.Http(
        plain.url(),
        Map.of("authorization", Secret.of("Bearer stale"), "X-Team", Secret.of("blue")),
        command.configured(),
        plain.addresses(),
        plain.connectTimeout(),
        plain.refusedStatuses());
  }

  /** From now on the server takes the second token alone, and the command prints it. */
  private void rotate() throws Exception {
    command.prints(SECOND);
    wanted = SECOND;
  }

  /** A stream, and what is called {@code slow}, is looked at only once the test says so. */
  private Said answer(Seen seen) {
    boolean slow = seen.httpMethod().equals("GET") || seen.body().contains("\"slow\"");
    if (slow && !token(seen).equals(SECOND)) {
      await(go);
    }
    if (seen.body().contains("\"failing\"")) {
      return Said.nothing(500);
    }
    if (!token(seen).equals(wanted)) {
      return Said.json(401, "{\"error\": \"no " + token(seen) + "\"}");
    }
    if (seen.httpMethod().equals("GET")) {
      return Said.stream("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
    }
    return switch (seen.method()) {
      case "initialize" ->
          Said.result(
              seen,
              "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {\"tools\": {}},"
                  + " \"serverInfo\": {\"name\": \"s\", \"version\": \"1\"}}");
      case "server/discover" ->
          Said.result(
              seen,
              "{\"resultType\": \"complete\", \"supportedVersions\": [\"2026-07-28\"],"
                  + " \"capabilities\": {\"tools\": {}}}");
      case "tools/call" -> Said.result(seen, "{\"resultType\": \"complete\", \"content\": []}");
      default -> Said.nothing(202);
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static String token(Seen seen) {
    String header = seen.header("Authorization");
    return header == null ? "" : header.replace("Bearer ", "");
  }

  private List<String> streams() {
    return http.seen.stream()
        .filter(seen -> seen.httpMethod().equals("GET"))
        .map(CredentialsTest::token)
        .toList();
  }

  private List<String> tokensOf(String tool) {
    return http.seen.stream()
        .filter(seen -> seen.body().contains('"' + tool + '"'))
        .map(CredentialsTest::token)
        .toList();
  }

  private Reply<Json> call(String tool) {
    return call(tool, new RecordingExchange());
  }

  private Reply<Json> call(String tool, RecordingExchange exchange) {
    return Faults.call(server, tool, "{}", exchange);
  }

  private FutureTask<Reply<Json>> begin(String tool) {
    return begin(tool, new RecordingExchange());
  }

  private FutureTask<Reply<Json>> begin(String tool, RecordingExchange exchange) {
    return begin(() -> call(tool, exchange));
  }

  private static FutureTask<Reply<Json>> begin(Callable<Reply<Json>> call) {
    FutureTask<Reply<Json>> task = new FutureTask<>(call);
    Thread.ofVirtual().start(task);
    return task;
  }

  /** What is said about a request that was refused for its credentials. */
  private static String refused(Reply<Json> reply) {
    assertThat(Faults.failure(reply))
        .isInstanceOfSatisfying(
            Failure.Refused.class, refused -> assertThat(refused.code()).isEqualTo(401));
    return Faults.failure(reply).detail();
  }
}
