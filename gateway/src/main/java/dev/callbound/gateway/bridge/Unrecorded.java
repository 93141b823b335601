package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.journal.JournalException;
import java.util.Locale;

/** What a client is told when the gateway itself failed. */
final class Unrecorded {
  private Unrecorded() {}

  /** The error of a request that ended before anything was sent for it. */
  static RpcError error(Throwable thrown) {
    return thrown instanceof JournalException e
        ? error("nothing was sent", e)
        : RpcError.of(
            RpcError.INTERNAL_ERROR, "an unexpected error in the gateway; its log says more");
  }

  /**
   * The error of a call that could not be recorded.
   *
   * @param sent what is known about whether it was sent
   */
  static RpcError error(String sent, JournalException e) {
    return new RpcError(
        RpcError.INTERNAL_ERROR,
        "the call could not be recorded, and " + sent + ": " + e.getMessage(),
        JsonObject.of("reason", Json.text("journal_" + e.kind().name().toLowerCase(Locale.ROOT)))
            .toJson());
  }
}
