package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.LogLines;
import dev.callbound.gateway.config.AddressRules;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.testkit.Eventually;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookTest {
  private static final Duration PATIENCE = Duration.ofMillis(200);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration PROMPT = Duration.ofSeconds(2);

  private final LogLines log = LogLines.of(Webhook.class);
  private Function<Integer, ScriptedHttp.Said> script = _ -> ScriptedHttp.Said.nothing(204);
  private ScriptedHttp receiver;

  @BeforeEach
  void listen() throws Exception {
    receiver = new ScriptedHttp(_ -> script.apply(receiver.seen.size()));
  }

  @AfterEach
  void stop() {
    receiver.close();
    log.close();
  }

  @Test
  void theThirdTryMayGetThrough() throws Exception {
    script = number -> ScriptedHttp.Said.nothing(number < 3 ? 500 : 204);
    try (Webhook webhook = webhook(receiver.url())) {
      webhook.post(alert("c_1"));
      webhook.post(alert("c_2"));

      assertThat(Eventually.holds(() -> receiver.seen.size() == 4)).isTrue();
    }
    assertThat(receiver.seen)
        .extracting(seen -> Json.of(seen.body()).textAt("call"))
        .containsExactly("c_1", "c_1", "c_1", "c_2");
    assertThat(log.troubles()).isEmpty();
  }

  @Test
  void theThirdFailureIsLoggedOnceAndTheNextIsPosted() throws Exception {
    script = number -> ScriptedHttp.Said.nothing(number <= 3 ? 503 : 204);
    try (Webhook webhook = webhook(receiver.url())) {
      webhook.post(alert("c_1"));
      webhook.post(alert("c_2"));

      assertThat(Eventually.holds(() -> receiver.seen.size() == 4)).isTrue();
    }
    assertThat(log.troubles())
        .singleElement()
        .asString()
        .contains(
            "WARNING", "alert=not_delivered", "kind=call_stuck", "call=c_1", "tries=3", "503");
  }

  @Test
  void oneThatHangsIsCutAndPostingNeverWaits() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Webhook webhook = webhook(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"))) {
      long begun = System.nanoTime();
      IntStream.range(0, 110).forEach(i -> webhook.post(alert("c_" + i)));

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PROMPT);
      assertThat(
              Eventually.holds(
                  () ->
                      log.troubles().stream()
                          .anyMatch(line -> line.contains("no answer within 200 ms"))))
          .isTrue();
      assertThat(log.troubles())
          .anyMatch(line -> line.contains("alert=dropped") && line.contains("call=c_1"));
    }
  }

  @Test
  void anAnswerThatNeverEndsIsNoReasonToWait() throws Exception {
    script = _ -> new ScriptedHttp.Said(200, Map.of(), "{", true);
    try (Webhook webhook = webhook(receiver.url())) {
      webhook.post(alert("c_1"));
      webhook.post(alert("c_2"));

      assertThat(Eventually.holds(() -> receiver.seen.size() == 2)).isTrue();
    }
    assertThat(log.troubles()).isEmpty();
  }

  @Test
  void closingEndsAPauseAtOnceAndNothingMoreIsPosted() throws Exception {
    script = _ -> ScriptedHttp.Said.nothing(503);
    Webhook webhook =
        new Webhook(Faults.transport(receiver.url()), PATIENCE, Duration.ofMinutes(1));
    webhook.post(alert("c_1"));
    assertThat(Eventually.holds(() -> receiver.seen.size() == 1)).isTrue();

    webhook.close();

    assertThat(Eventually.holds(PROMPT, webhook::isOver)).isTrue();
    assertThat(receiver.seen).hasSize(1);
    assertThat(log.troubles()).isEmpty();
  }

  @Test
  void closingEndsATryThatHangs() throws Exception {
    script = _ -> new ScriptedHttp.Said(200, Map.of(), "", true);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Webhook webhook =
          new Webhook(
              Faults.transport(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/")),
              Duration.ofMinutes(1),
              PAUSE);
      webhook.post(alert("c_1"));
      silent.accept().getInputStream().read();

      webhook.close();

      assertThat(Eventually.holds(PROMPT, webhook::isOver)).isTrue();
      assertThat(log.troubles()).isEmpty();
    }
  }

  @Test
  void aRedirectToElsewhereIsNotFollowed() throws Exception {
    try (ScriptedHttp elsewhere = new ScriptedHttp(_ -> ScriptedHttp.Said.nothing(204));
        Webhook webhook = webhook(receiver.url())) {
      script = _ -> ScriptedHttp.Said.nothing(307).with("Location", elsewhere.url().toString());
      webhook.post(alert("c_1"));

      assertThat(Eventually.holds(() -> !log.troubles().isEmpty())).isTrue();
      assertThat(log.troubles()).singleElement().asString().contains("redirect");
      assertThat(elsewhere.seen).isEmpty();
    }
  }

  @Test
  void anAddressThatIsNotAllowedIsNotConnectedTo() throws Exception {
    ServerConfig.Http onlyPublic =
        new ServerConfig.Http(
            receiver.url(),
            Map.of(),
            null,
            AddressRules.PUBLIC_ONLY,
            Duration.ofSeconds(1),
            Set.of());
    try (Webhook webhook = new Webhook(onlyPublic, PATIENCE, PAUSE)) {
      webhook.post(alert("c_1"));

      assertThat(Eventually.holds(() -> !log.troubles().isEmpty())).isTrue();
    }
    assertThat(log.troubles())
        .singleElement()
        .asString()
        .contains("alert=not_delivered", "127.0.0.1", "does not allow");
    assertThat(receiver.seen).isEmpty();
  }

  private static Webhook webhook(URI url) {
    return new Webhook(Faults.transport(url), PATIENCE, PAUSE);
  }

  private static JsonObject alert(String call) {
    return JsonObject.of("kind", Json.text("call_stuck")).with("call", Json.text(call));
  }
}
