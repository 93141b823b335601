package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a conversation with a server begins, and in which generation of the protocol. */
@Timeout(30)
class OpeningTest {
  private static final String DISCOVERED =
      "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
          + "\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{}}}";

  @Test
  void aNewerServerIsReachedByAnOlderClient() throws Exception {
    try (ScriptedHttp http = new ScriptedHttp(OpeningTest::modernOnly);
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      RecordingExchange exchange =
          new RecordingExchange().mirrored(Map.of("Region", "Málaga", "bad name", "x"));
      Faults.ok(Faults.call(server, "t", "{}", exchange));
      Faults.ok(Faults.call(server, "t", "{}", exchange));
      assertThat(http.methods())
          .containsExactly("initialize", "server/discover", "tools/call", "tools/call");
      ScriptedHttp.Seen call = http.seen.get(2);
      assertThat(call.header("MCP-Protocol-Version")).isEqualTo("2026-07-28");
      assertThat(call.header("Mcp-Method")).isEqualTo("tools/call");
      assertThat(call.header("Mcp-Name")).isEqualTo("t");
      assertThat(call.header("Mcp-Param-Region")).isEqualTo("=?base64?TcOhbGFnYQ==?=");
      assertThat(call.header("Mcp-Session-Id")).isNull();
      assertThat(call.header("Authorization")).isEqualTo("Bearer 123456");
      assertThat(call.header("Accept")).isEqualTo("application/json, text/event-stream");
      assertThat(call.header("Accept-Encoding")).isNull();
      assertThat(call.header("Content-Type")).isEqualTo("application/json");
      assertThat(call.headers()).doesNotContainKey("Mcp-Param-bad name");
      assertThat(exchange.timesSent()).isEqualTo(2);
    }
  }

  @Test
  void anOlderServerIsReachedByANewerClientAndAskedOnlyOnce() throws Exception {
    try (ScriptedHttp http = new ScriptedHttp(seen -> legacyOnly(seen, "2025-06-18"));
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      for (int i = 0; i < 2; i++) {
        RecordingExchange exchange = new RecordingExchange(Revision.V2026_07_28);
        Faults.ok(Faults.call(server, "t", "{}", exchange));
        assertThat(exchange.events()).containsExactly("sent");
      }
      assertThat(http.methods())
          .containsExactly(
              "server/discover",
              "initialize",
              "notifications/initialized",
              "tools/call",
              "tools/call");
      ScriptedHttp.Seen call = http.seen.getLast();
      assertThat(call.header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
      assertThat(call.header("Mcp-Session-Id")).isEqualTo("s-1");
      assertThat(call.header("Mcp-Method")).isNull();
      assertThat(call.body()).doesNotContain("protocolVersion");
    }
  }

  @Test
  void theOldestRevisionIsTakenAsTheOldestSpokenHere() throws Exception {
    try (ScriptedHttp http = new ScriptedHttp(seen -> legacyOnly(seen, "2024-11-05"));
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      Faults.ok(Faults.call(server, "t", "{}", new RecordingExchange()));
      assertThat(http.seen.getLast().header("MCP-Protocol-Version")).isNull();
    }
  }

  @Test
  void aPinnedRevisionIsTheOnlyOneTried() throws Exception {
    try (ScriptedHttp http = new ScriptedHttp(OpeningTest::modernOnly)) {
      try (StreamableHttpServer server =
          Faults.connect(Faults.transport(http.url()), Protocol.V2025_06_18)) {
        assertThat(Faults.failure(Faults.call(server, "t", "{}", new RecordingExchange())))
            .isInstanceOf(Failure.NotSent.class);
      }
      try (StreamableHttpServer server =
          Faults.connect(Faults.transport(http.url()), Protocol.V2026_07_28)) {
        Faults.ok(Faults.call(server, "t", "{}", new RecordingExchange()));
      }
      assertThat(http.methods()).containsExactly("initialize", "server/discover", "tools/call");
      assertThat(http.seen.getFirst().body()).contains("\"2025-06-18\"");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void aServerThatWantsNobodyRefuses(int status) throws Exception {
    assertThat(opened(status)).isInstanceOf(Failure.Refused.class);
  }

  @Test
  void aServerThatWantsUsLaterNamesTheTime() throws Exception {
    assertThat(opened(429))
        .isInstanceOfSatisfying(
            Failure.Limited.class,
            limited -> assertThat(limited.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 405, 500, 502})
  void anOpeningThatFailsMeansThatNothingWasSent(int status) throws Exception {
    assertThat(opened(status))
        .isInstanceOfSatisfying(
            Failure.NotSent.class,
            failure -> assertThat(failure.detail()).contains("initialize", "" + status));
  }

  @Test
  void aServerThatIsNotThereGetsNothing() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      port = free.getLocalPort();
    }
    URI url = URI.create("http://127.0.0.1:" + port + "/mcp");
    try (StreamableHttpServer server = Faults.connect(Faults.transport(url))) {
      RecordingExchange exchange = new RecordingExchange();
      assertThat(Faults.failure(Faults.call(server, "t", "{}", exchange)))
          .isInstanceOf(Failure.NotSent.class);
      assertThat(exchange.events()).isEmpty();
    }
  }

  @Test
  void aServerThatSpeaksNoTlsGetsNothing() throws Exception {
    try (ScriptedHttp http = new ScriptedHttp(OpeningTest::modernOnly)) {
      URI url = URI.create(http.url().toString().replace("http:", "https:"));
      try (StreamableHttpServer server = Faults.connect(Faults.transport(url))) {
        RecordingExchange exchange = new RecordingExchange();
        assertThat(Faults.failure(Faults.call(server, "t", "{}", exchange)))
            .isInstanceOf(Failure.NotSent.class);
        assertThat(exchange.events()).isEmpty();
      }
      assertThat(http.seen).isEmpty();
    }
  }

  @Test
  void aSecretThatTheServerQuotesIsNotPassedOn() throws Exception {
    String body = "{\"error\":\"bad token 123456\"}";
    try (ScriptedHttp http = new ScriptedHttp(_ -> ScriptedHttp.Said.json(401, body));
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      assertThat(Faults.failure(Faults.call(server, "t", "{}", new RecordingExchange())))
          .isEqualTo(new Failure.Refused(401, "status 401: bad token ***"));
    }
  }

  @Test
  void aRenewedSessionIsToldWhatTheOneBeforeWasToldToWatch() throws Exception {
    AtomicInteger sessions = new AtomicInteger();
    try (ScriptedHttp http =
            new ScriptedHttp(
                seen -> {
                  if (seen.method().equals("initialize")) {
                    return legacyOnly(seen, "2025-11-25")
                        .with("Mcp-Session-Id", "s-" + sessions.incrementAndGet());
                  }
                  if (seen.method().equals("resources/subscribe")) {
                    return ScriptedHttp.Said.result(seen, "{}");
                  }
                  return seen.method().equals("tools/call")
                          && "s-1".equals(seen.header("Mcp-Session-Id"))
                      ? ScriptedHttp.Said.nothing(404)
                      : legacyOnly(seen, "2025-11-25");
                });
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      RecordingExchange exchange = new RecordingExchange();
      JsonObject uri = JsonObject.of("uri", Json.text("a:b"));
      Faults.ok(server.request("resources/subscribe", uri, exchange));
      Faults.ok(Faults.call(server, "t", "{}", exchange));
      assertThat(
              Faults.eventually(
                  () ->
                      http.seen.stream()
                          .anyMatch(
                              seen ->
                                  seen.method().equals("resources/subscribe")
                                      && "s-2".equals(seen.header("Mcp-Session-Id")))))
          .isTrue();
    }
  }

  @Test
  void aHandshakeThatIsNotAnsweredInTimeIsGivenUp() throws Exception {
    try (ScriptedHttp http = new ScriptedHttp(_ -> ScriptedHttp.Said.stream(":"));
        StreamableHttpServer server =
            Faults.connect(
                Faults.transport(http.url()), Protocol.V2025_11_25, Duration.ofMillis(300))) {
      assertThat(Faults.failure(Faults.call(server, "t", "{}", new RecordingExchange())))
          .isInstanceOfSatisfying(
              Failure.NotSent.class, late -> assertThat(late.detail()).contains("in time"));
    }
  }

  @Test
  void aServerThatSpeaksAnotherRevisionNowIsAskedAnew() throws Exception {
    boolean[] changed = new boolean[1];
    try (ScriptedHttp http =
            new ScriptedHttp(
                seen -> {
                  if (!changed[0]) {
                    return modernOnly(seen);
                  }
                  return seen.header("Mcp-Method") == null
                      ? legacyOnly(seen, "2025-11-25")
                      : ScriptedHttp.Said.error(
                          seen,
                          400,
                          RpcError.UNSUPPORTED_REVISION,
                          "{\"supported\":[\"2025-11-25\"]}");
                });
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      RecordingExchange exchange = new RecordingExchange(Revision.V2026_07_28);
      Faults.ok(Faults.call(server, "t", "{}", exchange));
      changed[0] = true;
      Faults.ok(Faults.call(server, "t", "{}", exchange));
      assertThat(exchange.events()).containsExactly("sent", "sent", "not taken", "sent");
    }
  }

  @Test
  void subscriptionsBecomeTheListenStreamOf20260728() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    String updated =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
            + "\"params\":{\"uri\":\"a:b\"}}";
    try (ScriptedHttp http =
            new ScriptedHttp(
                seen ->
                    seen.method().equals("subscriptions/listen")
                        ? ScriptedHttp.Said.stream(updated)
                        : modernOnly(seen));
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      server.listen((_, notification) -> heard.add(notification.method()));
      RecordingExchange exchange = new RecordingExchange(Revision.V2026_07_28);
      JsonObject uri = JsonObject.of("uri", Json.text("a:b"));
      Faults.ok(server.request("resources/subscribe", uri, exchange));
      assertThat(Faults.eventually(() -> heard.contains("notifications/resources/updated")))
          .isTrue();
      assertThat(
              Faults.eventually(
                  () ->
                      http.seen.stream()
                          .anyMatch(
                              seen ->
                                  seen.body().contains("\"resourceSubscriptions\":[\"a:b\"]")
                                      && seen.body().contains("\"toolsListChanged\":true"))))
          .isTrue();
      assertThat(http.methods()).doesNotContain("resources/subscribe");
    }
  }

  @Test
  void theSessionIsEndedWithTheServer() throws Exception {
    try (ScriptedHttp http = new ScriptedHttp(seen -> legacyOnly(seen, "2025-11-25"))) {
      try (StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
        Faults.ok(Faults.call(server, "t", "{}", new RecordingExchange()));
      }
      assertThat(http.seen.getLast().httpMethod()).isEqualTo("DELETE");
      assertThat(http.seen.getLast().header("Mcp-Session-Id")).isEqualTo("s-1");
    }
  }

  private static Failure opened(int status) throws Exception {
    try (ScriptedHttp http =
            new ScriptedHttp(_ -> ScriptedHttp.Said.json(status, "{}").with("Retry-After", "7"));
        StreamableHttpServer server = Faults.connect(Faults.transport(http.url()))) {
      RecordingExchange exchange = new RecordingExchange();
      Failure failure = Faults.failure(Faults.call(server, "t", "{}", exchange));
      assertThat(exchange.events()).isEmpty();
      return failure;
    }
  }

  private static ScriptedHttp.Said modernOnly(ScriptedHttp.Seen seen) {
    if (seen.header("Mcp-Method") == null) {
      return ScriptedHttp.Said.error(seen, 400, RpcError.HEADER_MISMATCH, "{}");
    }
    return switch (seen.method()) {
      case "server/discover" -> ScriptedHttp.Said.result(seen, DISCOVERED);
      case "tools/call" -> ScriptedHttp.Said.result(seen, "{\"resultType\":\"complete\"}");
      default -> ScriptedHttp.Said.error(seen, 404, RpcError.METHOD_NOT_FOUND, "{}");
    };
  }

  private static ScriptedHttp.Said legacyOnly(ScriptedHttp.Seen seen, String date) {
    return switch (seen.method()) {
      case "initialize" ->
          ScriptedHttp.Said.result(
                  seen, "{\"protocolVersion\":\"" + date + "\",\"capabilities\":{}}")
              .with("Mcp-Session-Id", "s-1");
      case "notifications/initialized" -> ScriptedHttp.Said.nothing(202);
      case "tools/call" -> ScriptedHttp.Said.result(seen, "{\"content\":[]}");
      case "" -> ScriptedHttp.Said.nothing(seen.httpMethod().equals("DELETE") ? 204 : 405);
      default -> ScriptedHttp.Said.json(400, "{\"error\":\"Bad Request: no session\"}");
    };
  }
}
