package dev.callbound.gateway.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.CallLayer;
import dev.callbound.gateway.config.Origin;
import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.config.ToolBounds;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LintTest {
  private static final Json FIND =
      tool("{\"properties\":{\"query\":{\"type\":\"string\"}},\"required\":[\"query\"]}");
  private static final Json ADD =
      tool(
          "{\"properties\":{\"issue\":{\"type\":\"integer\"},\"body\":{\"type\":\"string\"},"
              + "\"tags\":{\"type\":[\"string\",\"null\"]}},\"additionalProperties\":false}");
  private static final Recognise.Found FOUND = new Recognise.Found("/*/body", "/body");

  @Test
  void whatCanWorkIsPassedOver() {
    assertThat(lint(check("find", "{\"query\":\"in {/issue}: {key}\"}", null, FOUND))).isEmpty();
    assertThat(
            lint(
                new Recognise.ByCheck(
                    new Recognise.Marker("tags", false, "{key}"), probe("find", "{\"query\":1}"))))
        .isEmpty();
    assertThat(lint(key("tags"))).isEmpty();
  }

  @Test
  void checkByAToolThatIsNotThereIsAnError() {
    assertThat(lint(check("look", "{}", null, FOUND)))
        .containsExactly("add: its check asks look, a tool that the server does not have");
  }

  @Test
  void checkByAToolThatWritesIsAnError() {
    assertThat(lint(check("remove", "{}", null, FOUND)))
        .containsExactly(
            "add: its check asks remove, which writes; a check must only look, so it is never"
                + " asked");
  }

  @Test
  void checkWithArgumentsThatItsToolLacksIsAnError() {
    assertThat(lint(check("find", "{\"q\":\"{/issue}\"}", null, FOUND)))
        .containsExactly(
            "add: its check gives q to find, which has no such argument",
            "add: its check does not give find what it needs: [query]");
    assertThat(
            lint(
                check(
                    "find",
                    "{\"query\":\"a\"}",
                    new Recognise.Pages("/next", "cursor", 20),
                    FOUND)))
        .containsExactly(
            "add: its check asks for pages by cursor, an argument that find does not have");
  }

  @Test
  void pointerToNoArgumentIsAnError() {
    assertThat(
            lint(
                check(
                    "find",
                    "{\"query\":{\"all\":[\"{/titel/x}\"]}}",
                    null,
                    new Recognise.Found("/*/id", "/id"))))
        .containsExactly(
            "add: its check asks with /titel/x, and the tool has no argument titel",
            "add: its check compares with /id, and the tool has no argument id");
  }

  @Test
  void markerNeedsATextToGoInto() {
    assertThat(lint(marker("issue")))
        .containsExactly(
            "add: its marker goes into issue, which is not a text in the tool's schema");
    assertThat(lint(marker("note")))
        .containsExactly("add: its marker goes into note, an argument that the tool does not have");
  }

  @Test
  void keyArgumentThatTheSchemaRefusesIsAnError() {
    assertThat(lint(key("idempotency_key")))
        .containsExactly(
            "add: its key argument idempotency_key is refused by the tool's schema, which takes no"
                + " other arguments than it lists");
    assertThat(lint(key("issue")))
        .containsExactly("add: its key argument issue is not a text in the tool's schema");
  }

  @Test
  void openOrComposedSchemaMayTakeAnything() {
    Json open = tool("{\"properties\":{}}");
    Json composed = tool("{\"allOf\":[{}],\"properties\":{},\"additionalProperties\":false}");

    assertThat(lint(open, Effect.WRITE, key("k"))).isEmpty();
    assertThat(lint(composed, Effect.WRITE, key("k"))).isEmpty();
    assertThat(lint(composed, Effect.WRITE, marker("k"))).isEmpty();
    assertThat(lint(Json.of("{\"name\":\"add\"}"), Effect.WRITE, key("k"))).isEmpty();
  }

  @Test
  void readNeedsNoRecognition() {
    assertThat(lint(ADD, Effect.READ, marker("note"))).isEmpty();
  }

  private static List<String> lint(Recognise recognise) {
    return lint(ADD, Effect.WRITE, recognise);
  }

  private static List<String> lint(Json add, Effect effect, Recognise recognise) {
    Map<String, Lint.Known> tools = new TreeMap<>();
    CallLayer own = CallLayer.silent(Origin.TOOL).withRecognise(recognise);
    ToolConfig bounds =
        new ToolBounds(
                CallLayer.silent(Origin.DEFAULTS),
                CallLayer.silent(Origin.SERVER),
                Map.of("add", own),
                Duration.ofHours(2))
            .of("add");
    tools.put("add", new Lint.Known(add, effect, bounds));
    tools.put("find", new Lint.Known(FIND, Effect.READ, ToolConfig.standard()));
    tools.put("remove", new Lint.Known(tool("{}"), Effect.WRITE, ToolConfig.standard()));
    return Lint.of(tools);
  }

  private static Recognise key(String argument) {
    return new Recognise.ByKey(Recognise.Carrier.ARGUMENT, argument, null);
  }

  private static Recognise marker(String argument) {
    return new Recognise.ByCheck(
        new Recognise.Marker(argument, true, " {key}"), probe("find", "{\"query\":\"{key}\"}"));
  }

  private static Recognise check(
      String tool, String arguments, Recognise.@Nullable Pages pages, Recognise.Found found) {
    return new Recognise.ByCheck(
        null, new Recognise.Probe(tool, arguments, pages, found, null, Duration.ofSeconds(15), 2));
  }

  private static Recognise.Probe probe(String tool, String arguments) {
    return new Recognise.Probe(tool, arguments, null, null, null, Duration.ofSeconds(15), 2);
  }

  private static Json tool(String schema) {
    return Json.of("{\"name\":\"t\",\"inputSchema\":" + schema + "}");
  }
}
