package dev.callbound.gateway.bridge;

import static dev.callbound.gateway.bridge.Sessions.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Prefix;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PassthroughTest {
  private static final ServerConfig CONFIG =
      ServerConfig.standard(
          "one", new ServerConfig.Stdio("never-started", List.of(), Map.of(), null, Duration.ZERO));
  private static final String PROMPT =
      "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Hello, Ada\"}}]}";
  private static final Json NAME =
      Json.of("{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");

  private final ScriptedServer server = new ScriptedServer(PassthroughTest::answer);
  private final Questions.Parked parked = new Questions.Parked();
  private final Passthrough passthrough = passthrough();

  /** A server whose prompt needs to know a name before it can be given. */
  private static Reply<Json> answer(ScriptedServer.Asked asked) {
    return switch (asked.method()) {
      case "prompts/get" ->
          asked.params().get("inputResponses") == null
              ? ScriptedServer.answered(
                  """
                  {"resultType":"input_required","requestState":"its own",
                   "inputRequests":{"name":{"method":"elicitation/create",
                     "params":{"message":"Your name?"}}}}""")
              : ScriptedServer.answered(PROMPT);
      case "resources/subscribe", "resources/unsubscribe" -> ScriptedServer.answered("{}");
      default -> Reply.failed(new Failure.Refused(-32601, "no such method"));
    };
  }

  @Test
  void aPromptThatAsksIsAnsweredWhereItsClientCameBack() throws Exception {
    Session session = Sessions.of(Revision.V2026_07_28, "{\"elicitation\":{}}", null);
    Talk first = Sessions.talk("prompts/get", "{\"name\":\"greeting\"}");
    Thread handling = Thread.ofVirtual().start(() -> passthrough.handle(first, session));
    Json asked = result(Sessions.next(first));
    Questions waiting =
        Objects.requireNonNull(
            parked.take(Objects.requireNonNull(asked.textAt("requestState")), "local"));
    Talk second = Sessions.talk("prompts/get", "{\"name\":\"greeting\"}");

    assertThat(asked.textAt("resultType")).isEqualTo("input_required");
    assertThat(asked.textAt("inputRequests", "name", "params", "message")).isEqualTo("Your name?");
    waiting.resume(second, JsonObject.of("name", NAME));

    assertThat(result(Sessions.next(second)).at("messages"))
        .isEqualTo(Json.of(PROMPT).at("messages"));
    handling.join();
    assertThat(Sessions.said(first)).isEmpty();
    assertThat(server.asked("prompts/get"))
        .last()
        .isEqualTo(
            object("{\"name\":\"greeting\"}")
                .with("inputResponses", JsonObject.of("name", NAME))
                .with("requestState", Json.text("its own")));
  }

  @Test
  void aServerHearsThatAResourceIsUnwantedFromTheLastWhoWantedIt() throws Exception {
    Session ada = Sessions.of(Revision.V2025_11_25, "{}", null);
    Session ben = Sessions.of(Revision.V2025_11_25, "{}", null);
    ask(ada, "resources/subscribe");
    ask(ben, "resources/subscribe");

    ask(ada, "resources/unsubscribe");
    assertThat(server.asked("resources/unsubscribe")).isEmpty();

    ask(ben, "resources/unsubscribe");
    assertThat(server.asked("resources/unsubscribe"))
        .isEqualTo(List.of(object("{\"uri\":\"file:///a\"}")));
  }

  private void ask(Session session, String method) throws InterruptedException {
    Talk talk = Sessions.talk(method, "{\"uri\":\"file:///a\"}");
    passthrough.handle(talk, session);
    assertThat(result(Sessions.next(talk))).isEqualTo(Json.of("{}"));
  }

  private static Json result(Message said) {
    assertThat(said).isInstanceOf(Message.Result.class);
    return ((Message.Result) said).result();
  }

  private Passthrough passthrough() {
    ServerTools tools =
        new ServerTools(
            CONFIG,
            server,
            Gates.unremembered(CONFIG, new Cancellation()),
            KnownTools.NOTHING,
            InstantSource.system());
    ToolNames names = new ToolNames(Map.of("one", Prefix.COLLISIONS), Map.of());
    return new Passthrough(new Catalog(List.of(tools), names), new Hub(), parked);
  }
}
