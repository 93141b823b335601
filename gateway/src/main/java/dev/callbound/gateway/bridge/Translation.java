package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import java.util.Set;

/**
 * What a result must have for clients of an era, and what servers of the other era do not give.
 * Members are added; nothing that is there is changed.
 */
final class Translation {
  /** Results that say how long they may be kept (MCP 2026-07-28, caching). */
  private static final Set<String> KEPT =
      Set.of(
          "tools/list",
          "prompts/list",
          "resources/list",
          "resources/templates/list",
          "resources/read");

  private Translation() {}

  /** The result of a request as a client of the revision takes it. */
  static Json forClient(Revision revision, String method, Json result) {
    if (revision.hasSessions() || !result.isObject()) {
      return result;
    }
    JsonObject members = result.asObject().orElseThrow();
    JsonObject complete = with(members, "resultType", Json.text("complete"));
    if (KEPT.contains(method)) {
      complete = with(complete, "ttlMs", Json.number(0));
      complete = with(complete, "cacheScope", Json.text("private"));
    }
    return complete.members().size() == members.members().size() ? result : complete.toJson();
  }

  private static JsonObject with(JsonObject members, String name, Json value) {
    return members.get(name) == null ? members.with(name, value) : members;
  }
}
