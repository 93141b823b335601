package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.TokenCommand;
import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.gateway.upstream.http.ScriptedHttp.Said;
import dev.callbound.gateway.upstream.http.ScriptedHttp.Seen;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server that wants a token, and a command that prints one. */
abstract class CredentialsFixture {
  static final String FIRST = "token-one";
  static final String SECOND = "token-two";
  static final Duration AMPLE = Duration.ofSeconds(10);

  @TempDir Path folder;
  final Secrets secrets = Secrets.of(List.of());
  final CountDownLatch go = new CountDownLatch(1);
  TokenCommand command;
  ScriptedHttp http;
  StreamableHttpServer server;
  volatile String wanted = FIRST;

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

  StreamableHttpServer server(Protocol protocol, Duration startTimeout) {
    return Faults.connect(transport(), protocol, startTimeout, secrets);
  }

  ServerConfig.Http transport() {
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
  void rotate() throws Exception {
    command.prints(SECOND);
    wanted = SECOND;
  }

  /** A stream, and what is called {@code slow}, is looked at only once the test says so. */
  Said answer(Seen seen) {
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

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  static String token(Seen seen) {
    String header = seen.header("Authorization");
    return header == null ? "" : header.replace("Bearer ", "");
  }

  List<String> streams() {
    return http.seen.stream()
        .filter(seen -> seen.httpMethod().equals("GET"))
        .map(CredentialsFixture::token)
        .toList();
  }

  List<String> tokensOf(String tool) {
    return http.seen.stream()
        .filter(seen -> seen.body().contains('"' + tool + '"'))
        .map(CredentialsFixture::token)
        .toList();
  }

  Reply<Json> call(String tool) {
    return call(tool, new RecordingExchange());
  }

  Reply<Json> call(String tool, RecordingExchange exchange) {
    return Faults.call(server, tool, "{}", exchange);
  }

  FutureTask<Reply<Json>> begin(String tool) {
    return begin(tool, new RecordingExchange());
  }

  FutureTask<Reply<Json>> begin(String tool, RecordingExchange exchange) {
    return begin(() -> call(tool, exchange));
  }

  static FutureTask<Reply<Json>> begin(Callable<Reply<Json>> call) {
    FutureTask<Reply<Json>> task = new FutureTask<>(call);
    Thread.ofVirtual().start(task);
    return task;
  }

  /** What is said about a request that was refused for its credentials. */
  static String refused(Reply<Json> reply) {
    assertThat(Faults.failure(reply))
        .isInstanceOfSatisfying(
            Failure.Refused.class, refused -> assertThat(refused.code()).isEqualTo(401));
    return Faults.failure(reply).detail();
  }
}
