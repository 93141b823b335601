package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.JsonRpc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds what a tool answers, in the form of the request's revision. */
final class ToolResult {
  private ToolResult() {}

  static ObjectNode of(Step.Content content, Scenario scenario) {
    String protocol = scenario.exchange().protocol();
    ObjectNode result = object();
    if (Protocol.isStateless(protocol)) {
      result.put("resultType", "complete");
    }
    if (content.empty()) {
      result.putArray("content");
      return result;
    }
    if (content.bytes() > 0) {
      return result.setAll(object("content", List.of(filler(content))));
    }
    String text = content.text();
    JsonNode value = content.value() == null ? normal(scenario) : content.value();
    ObjectNode block = object("type", "text", "text", text == null ? JsonRpc.text(value) : text);
    result.setAll(object("content", List.of(block)));
    if (text == null && Protocol.hasStructuredContent(protocol)) {
      result.set("structuredContent", value);
    }
    if (content.error()) {
      result.put("isError", true);
    }
    return result;
  }

  private static ObjectNode filler(Step.Content content) {
    return content.image()
        ? object("type", "image", "mimeType", "image/png", "data", "A".repeat(content.bytes()))
        : object("type", "text", "text", "x".repeat(content.bytes()));
  }

  private static JsonNode normal(Scenario scenario) {
    @Nullable ObjectNode effect = scenario.effect();
    if (effect == null) {
      return object("ok", true, "answer", scenario.answer());
    }
    return object(
        "ok", true,
        "object", effect.get("object"),
        "marker", effect.get("marker"),
        "replayed", scenario.replayed());
  }
}
