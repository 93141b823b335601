package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a client waits for a call, and by what it comes back if the call takes longer.
 *
 * @param atMost counted from when its request came; null means as long as the call takes
 */
record Stay(@Nullable Duration atMost, Handle handle) {
  /** It waits as long as the call takes. */
  static final Stay TO_THE_END = new Stay(null, Handle.CALL);

  /**
   * That of a client which asks for a call.
   *
   * @param detachAfter how long it would wait by the configuration; null means to the end
   */
  static Stay of(Session session, JsonObject params, @Nullable Duration detachAfter) {
    if (asksForTask(session.revision(), params)) {
      return new Stay(Duration.ZERO, Handle.REQUESTED_TASK);
    }
    return new Stay(detachAfter, session.takesTasks() ? Handle.TASK : Handle.CALL);
  }

  /** That of a client which has come back, and does not wait for ever this time either. */
  static Stay again(Duration atMost) {
    return new Stay(atMost, Handle.AGAIN);
  }

  private static boolean asksForTask(Revision revision, JsonObject params) {
    Json task = params.get("task");
    return revision == Revision.V2025_11_25 && task != null && task.isObject();
  }
}
