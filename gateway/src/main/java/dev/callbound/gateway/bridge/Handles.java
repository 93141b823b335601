package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import org.jspecify.annotations.Nullable;

/** Tells clients by what to come back for a call. */
@FunctionalInterface
interface Handles {
  /**
   * What a client is told. The call can be asked for by it, also after a crash, when this returns.
   *
   * @param name the name that the client calls the tool by
   * @return null when that can't be recorded now, so that the client has to wait on
   */
  @Nullable Json handOut(Conversation.Reference call, Session session, Handle handle, String name);
}
