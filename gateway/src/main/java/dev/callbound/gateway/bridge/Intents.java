package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.CanonicalJson;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.policy.Intent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request means to do, as a value that a new request id, a reconnect or another process does
 * not change. Pure.
 */
final class Intents {
  private Intents() {}

  /**
   * The intent of a request.
   *
   * @param arguments as the client gave them, without a key or a marker of ours
   * @param answers what it answers to a server's questions (MCP 2026-07-28), where it does so in a
   *     request of its own: that goes on, and is no repeat of the one that was asked; null without
   * @param call the id that the call would have: where the same arguments twice are two intents,
   *     and no step tells them apart, it does
   */
  static Intent of(
      String principal,
      String run,
      @Nullable String step,
      String server,
      String tool,
      ToolConfig bounds,
      Json arguments,
      @Nullable Json answers,
      String call) {
    String asked = target(bounds.target(), arguments);
    String target = answers == null ? asked : asked + CanonicalJson.of(answers);
    boolean distinct = bounds.repeats() && step == null;
    return new Intent(principal, run, step, server, tool, distinct ? target + call : target);
  }

  /** Where flights of the same step, or else of the same intent, meet. */
  static String place(Intent intent, String key) {
    String step = intent.step();
    return step == null
        ? key
        : new Intent(intent.principal(), intent.run(), step, intent.server(), intent.tool(), "")
            .key();
  }

  private static String target(List<String> named, Json arguments) {
    if (named.isEmpty()) {
      return CanonicalJson.of(arguments);
    }
    List<Json> parts = new ArrayList<>();
    for (String name : named) {
      Json value = name.startsWith("/") ? Pointers.at(arguments, name) : arguments.at(name);
      parts.add(value == null ? Json.text(name) : JsonObject.of(name, value).toJson());
    }
    return CanonicalJson.of(Json.array(parts));
  }
}
