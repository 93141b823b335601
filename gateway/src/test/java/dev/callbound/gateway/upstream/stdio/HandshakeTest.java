package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.ServerConfig.Stdio;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class HandshakeTest {
  private static final String INITIALIZED =
      "'{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"old\"}}'";
  private static final String DISCOVERED =
      "'{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":"
          + "{\"tools\":{\"listChanged\":true}},\"serverInfo\":{\"name\":\"new\"}}'";
  private static final String RESULT = "answer $id '{\"content\":[]}'";
  private static final String UNKNOWN = "refuse $id -32601";

  private @Nullable StdioServer server;

  @TempDir private Path folder;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  /** A server that does this for initialize, that for server/discover, and answers all else. */
  private Stdio script(String initialize, String discover) {
    return Processes.shell(
        """
        answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$1" "$2"; }
        refuse() { printf '{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"no"}}\\n' $1 $2; }
        while IFS= read -r line; do
          printf '%s\\n' "$line" >> HEARD
          id=${line#*\\"id\\":}; id=${id%%,*}
          case $line in
            *'"method":"initialize"'*) INITIALIZE;;
            *'"method":"server/discover"'*) DISCOVER;;
            *'"method":"notifications/'*) ;;
            *) RESULT;;
          esac
        done
        """
            .replace("HEARD", folder.resolve("heard").toString())
            .replace("INITIALIZE", initialize)
            .replace("DISCOVER", discover)
            .replace("RESULT", RESULT));
  }

  private Reply<Json> call(Stdio stdio, Protocol protocol, Revision client) throws Exception {
    StdioServer called =
        Processes.server(stdio, protocol, Duration.ofSeconds(10), ProcessLedger.NONE);
    server = called;
    called.listen((_, _) -> {});
    return Calls.call(called, "t", "{}", new RecordingExchange(client));
  }

  private List<String> methods() throws IOException {
    return Files.readAllLines(folder.resolve("heard")).stream()
        .map(line -> Json.of(line).textAt("method"))
        .toList();
  }

  private Revision revision() {
    Reply<Introduction> reply = server.introduction(new RecordingExchange());
    return ((Reply.Answered<Introduction>) reply).result().revision();
  }

  @Test
  void olderClientBeginsWithInitialize() throws Exception {
    Reply<Json> reply =
        call(script("answer $id " + INITIALIZED, UNKNOWN), Protocol.AUTO, Revision.V2025_03_26);

    assertThat(reply).isInstanceOf(Reply.Answered.class);
    assertThat(revision()).isEqualTo(Revision.V2025_06_18);
    assertThat(methods()).containsExactly("initialize", "notifications/initialized", "tools/call");
  }

  @Test
  void newClientBeginsWithDiscoverAndEveryRequestCarriesTheRevision() throws Exception {
    Reply<Json> reply =
        call(script(UNKNOWN, "answer $id " + DISCOVERED), Protocol.AUTO, Revision.V2026_07_28);

    assertThat(reply).isInstanceOf(Reply.Answered.class);
    assertThat(revision()).isEqualTo(Revision.V2026_07_28);
    assertThat(methods()).containsExactly("server/discover", "subscriptions/listen", "tools/call");
    assertThat(Files.readAllLines(folder.resolve("heard")))
        .allSatisfy(
            line ->
                assertThat(
                        Json.of(line)
                            .textAt("params", "_meta", "io.modelcontextprotocol/protocolVersion"))
                    .isEqualTo("2026-07-28"));
  }

  @Test
  void newClientReachesAnOldServer() throws Exception {
    Reply<Json> reply =
        call(script("answer $id " + INITIALIZED, UNKNOWN), Protocol.AUTO, Revision.V2026_07_28);

    assertThat(reply).isInstanceOf(Reply.Answered.class);
    assertThat(methods())
        .containsExactly(
            "server/discover", "initialize", "notifications/initialized", "tools/call");
  }

  @Test
  void newClientReachesAnOldServerThatIgnoresWhatItDoesNotKnow() throws Exception {
    Reply<Json> reply =
        call(script("answer $id " + INITIALIZED, ":"), Protocol.AUTO, Revision.V2026_07_28);

    assertThat(reply).isInstanceOf(Reply.Answered.class);
    assertThat(revision()).isEqualTo(Revision.V2025_06_18);
    assertThat(server.inFlight()).isZero();
  }

  @Test
  void olderClientReachesANewServer() throws Exception {
    Reply<Json> reply =
        call(script(UNKNOWN, "answer $id " + DISCOVERED), Protocol.AUTO, Revision.V2025_11_25);

    assertThat(reply).isInstanceOf(Reply.Answered.class);
    assertThat(methods())
        .containsExactly("initialize", "server/discover", "subscriptions/listen", "tools/call");
  }

  @Test
  void configPinsTheRevision() throws Exception {
    call(
        script("answer $id " + INITIALIZED, "answer $id " + DISCOVERED),
        Protocol.V2026_07_28,
        Revision.V2025_11_25);

    assertThat(methods()).startsWith("server/discover").doesNotContain("initialize");
  }

  @Test
  void configPinsAnOlderRevision() throws Exception {
    call(
        script("answer $id " + INITIALIZED, "answer $id " + DISCOVERED),
        Protocol.V2025_06_18,
        Revision.V2026_07_28);

    assertThat(
            Json.of(Files.readAllLines(folder.resolve("heard")).getFirst())
                .textAt("params", "protocolVersion"))
        .isEqualTo("2025-06-18");
    assertThat(methods()).doesNotContain("server/discover");
  }

  @Test
  void serverThatRefusesBothIsNotReached() throws Exception {
    Reply<Json> reply = call(script(UNKNOWN, UNKNOWN), Protocol.AUTO, Revision.V2025_11_25);

    assertThat(Calls.failure(reply))
        .isEqualTo(
            new Failure.NotSent(
                "the handshake failed: the server answered initialize with error -32601: no"));
  }

  @Test
  void noiseBeforeTheAnswerIsSkipped() throws Exception {
    Reply<Json> reply =
        call(
            script("echo; echo 'Welcome!'; echo '{\"half\":'; answer $id " + INITIALIZED, UNKNOWN),
            Protocol.AUTO,
            Revision.V2025_11_25);

    assertThat(reply).isInstanceOf(Reply.Answered.class);
    assertThat(server.connection().inbox().noise().text()).isEqualTo("Welcome!\n{\"half\":");
  }

  @Test
  void subscriptionIsPartOfTheLongRequestSince2026() throws Exception {
    call(script(UNKNOWN, "answer $id " + DISCOVERED), Protocol.AUTO, Revision.V2026_07_28);

    Reply<Json> reply =
        server.request(
            "resources/subscribe",
            JsonObject.of("uri", Json.text("file:///a")),
            new RecordingExchange(Revision.V2026_07_28));

    assertThat(reply).isEqualTo(new Reply.Answered<>(Json.of("{}")));
    assertThat(Eventually.holds(() -> methods().contains("notifications/cancelled"))).isTrue();
    assertThat(methods()).endsWith("tools/call", "subscriptions/listen", "notifications/cancelled");
    assertThat(Files.readString(folder.resolve("heard")))
        .contains("\"resourceSubscriptions\":[\"file:///a\"]");
  }

  @Test
  void newProcessIsAskedAgainForWhatWasSubscribedTo() throws Exception {
    Stdio stdio = script("answer $id " + INITIALIZED, UNKNOWN);
    call(stdio, Protocol.AUTO, Revision.V2025_11_25);
    server.request(
        "resources/subscribe",
        JsonObject.of("uri", Json.text("file:///a")),
        new RecordingExchange());
    ProcessHandle.of(server.connection().pid()).ifPresent(ProcessHandle::destroyForcibly);
    assertThat(Eventually.holds(() -> server.connection() == null)).isTrue();

    Calls.call(server, "t", "{}");

    assertThat(methods())
        .endsWith("notifications/initialized", "resources/subscribe", "tools/call");
  }
}
