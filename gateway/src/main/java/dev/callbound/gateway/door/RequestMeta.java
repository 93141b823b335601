package dev.callbound.gateway.door;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of its client in {@code _meta}, in the revisions where every request stands
 * for itself (MCP 2026-07-28, basic, per-request protocol fields).
 *
 * @param revision the revision that the request is written in
 */
public record RequestMeta(Revision revision, JsonObject info, JsonObject capabilities) {
  private static final String PREFIX = "io.modelcontextprotocol/";
  private static final String VERSION = PREFIX + "protocolVersion";
  private static final String INFO = PREFIX + "clientInfo";
  private static final String CAPABILITIES = PREFIX + "clientCapabilities";

  /** What is wrong with a request's own account of itself. */
  public static final class InvalidMetaException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient RpcError error;

    InvalidMetaException(RpcError error) {
      super(error.message());
      this.error = error;
    }

    /** The error to answer with. */
    public RpcError error() {
      return error;
    }
  }

  /** The revision that the parameters name; null where they name none. */
  public static @Nullable String version(JsonObject params) {
    return params.object("_meta").text(VERSION);
  }

  /**
   * Reads a request's own account of itself.
   *
   * @throws InvalidMetaException if a required field is missing, or the revision is not spoken here
   *     without a session
   */
  public static RequestMeta of(Message.Request request) throws InvalidMetaException {
    String version = version(request.params());
    if (version == null) {
      throw missing(VERSION, "a string");
    }
    Revision revision =
        Revision.of(version)
            .filter(spoken -> !spoken.hasSessions())
            .orElseThrow(() -> new InvalidMetaException(unsupported(version)));
    JsonObject meta = request.params().object("_meta");
    Json capabilities = meta.get(CAPABILITIES);
    if (capabilities == null || !capabilities.isObject()) {
      throw missing(CAPABILITIES, "an object");
    }
    return new RequestMeta(revision, meta.object(INFO), meta.object(CAPABILITIES));
  }

  /** The answer to a revision that is not spoken here, or not without {@code initialize}. */
  public static RpcError unsupported(String version) {
    String why =
        Revision.of(version).isPresent()
            ? "Protocol version " + version + " begins with initialize"
            : "Unsupported protocol version";
    Json supported =
        Json.array(
            Arrays.stream(Revision.values())
                .sorted(Comparator.reverseOrder())
                .map(revision -> Json.text(revision.date()))
                .toList());
    JsonObject data = JsonObject.of("supported", supported).with("requested", Json.text(version));
    return new RpcError(RpcError.UNSUPPORTED_REVISION, why, data.toJson());
  }

  private static InvalidMetaException missing(String field, String form) {
    return new InvalidMetaException(
        RpcError.of(
            RpcError.INVALID_PARAMS, "params._meta[\"" + field + "\"] is required: " + form));
  }

  /** The client of this one request. */
  public Bridge.Greeting greeting(String principal, @Nullable String server) {
    return new Bridge.Greeting(principal, revision, info, capabilities, server, null);
  }
}
