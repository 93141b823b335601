package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.util.List;

/** The results of tools, as data. Pure. */
final class ToolResults {
  private ToolResults() {}

  /** Whether the tool says of its own result that it is an error. */
  static boolean isError(Json result) {
    Json flag = result.at("isError");
    return flag != null && flag.isTrue();
  }

  /** What a model that asked for something wrongly is told, so that it can put it right. */
  static Json mistake(String text) {
    JsonObject content = JsonObject.of("type", Json.text("text")).with("text", Json.text(text));
    return JsonObject.of("content", Json.array(List.of(content.toJson())))
        .with("isError", Json.TRUE)
        .toJson();
  }

  /** A result that shows one thing: what a check found in place of a lost answer. */
  static Json of(Json thing) {
    String text = thing.asText().orElseGet(thing::toString);
    JsonObject content = JsonObject.of("type", Json.text("text")).with("text", Json.text(text));
    return JsonObject.of("content", Json.array(List.of(content.toJson())))
        .with("isError", Json.FALSE)
        .toJson();
  }
}
