package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.time.Instant;
import java.util.Map;

/** Marks what comes from the last list known, where a server can't be listed now. */
final class Stale {
  /**
   * The member of {@code _meta}: at a tool the time at which it was listed, at a result these times
   * by server.
   */
  static final String MARK = "dev.callbound/stale";

  private Stale() {}

  /** A tool that was listed at that time, and not since. */
  static Json marked(Json tool, Instant listedAt) {
    return tool.asObject()
        .map(members -> marked(members, Json.text(listedAt.toString())).toJson())
        .orElse(tool);
  }

  /** A result in which the tools of these servers are stale; unchanged where there are none. */
  static JsonObject marked(JsonObject result, Map<String, Instant> servers) {
    if (servers.isEmpty()) {
      return result;
    }
    JsonObject since = JsonObject.EMPTY;
    for (Map.Entry<String, Instant> server : servers.entrySet()) {
      since = since.with(server.getKey(), Json.text(server.getValue().toString()));
    }
    return marked(result, since.toJson());
  }

  private static JsonObject marked(JsonObject members, Json mark) {
    return members.with("_meta", members.object("_meta").with(MARK, mark).toJson());
  }
}
