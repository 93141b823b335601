package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the revisions of MCP open a conversation, and what they want with every request. Pure: the
 * messages of a client, without a connection.
 */
public final class Dialect {
  /** The method that opens a session (MCP up to 2025-11-25). */
  public static final String INITIALIZE = "initialize";

  /** The notification that ends the opening (MCP up to 2025-11-25). */
  public static final String INITIALIZED = "notifications/initialized";

  /** The method that asks a server what it is (MCP 2026-07-28). */
  public static final String DISCOVER = "server/discover";

  /** The method of a tool call. */
  public static final String TOOLS_CALL = "tools/call";

  private static final String PREFIX = "io.modelcontextprotocol/";

  /** The extension by which a server may answer a request with a task (MCP 2026-07-28). */
  public static final String TASKS = PREFIX + "tasks";

  private static final String PROTOCOL_VERSION = PREFIX + "protocolVersion";
  private static final String CLIENT_INFO = PREFIX + "clientInfo";
  private static final String CLIENT_CAPABILITIES = PREFIX + "clientCapabilities";
  private static final String LOG_LEVEL = PREFIX + "logLevel";
  private static final String SERVER_INFO = PREFIX + "serverInfo";
  private static final String PROGRESS_TOKEN = "progressToken";
  private static final String META = "_meta";

  /** Older than all that is spoken here, and near enough to the oldest: no field is missed. */
  private static final String FIRST_REVISION = "2024-11-05";

  /** What can be relayed to a client; one that lacks it has the question refused for it. */
  private static final JsonObject RELAYED =
      JsonObject.of("roots", JsonObject.EMPTY.toJson())
          .with("sampling", JsonObject.EMPTY)
          .with("elicitation", JsonObject.EMPTY);

  private Dialect() {}

  /** How this gateway names itself. */
  public static JsonObject clientInfo() {
    String version = Dialect.class.getPackage().getImplementationVersion();
    return JsonObject.of("name", Json.text("callbound"))
        .with("version", Json.text(Objects.requireNonNullElse(version, "dev")));
  }

  /** Whom a handshake is made for: it is shared by all clients, so for none of them. */
  public static Exchange.Caller gateway(Revision revision) {
    return new Exchange.Caller(revision, clientInfo(), JsonObject.EMPTY);
  }

  /** The parameters of {@code initialize}. */
  public static JsonObject initialize(Revision offered) {
    return JsonObject.of("protocolVersion", Json.text(offered.date()))
        .with("capabilities", RELAYED)
        .with("clientInfo", clientInfo());
  }

  /** Reads the result of {@code initialize}. */
  public static Reply<Introduction> introduced(Json result) {
    String version = result.textAt("protocolVersion");
    Revision revision =
        FIRST_REVISION.equals(version)
            ? Revision.V2025_03_26
            : Revision.of(Objects.requireNonNullElse(version, "")).orElse(null);
    if (revision == null || !revision.hasSessions()) {
      return Reply.failed(
          new Failure.NotSent(
              "the server answered initialize with the protocol version "
                  + (version == null ? "missing" : FailureText.of(version))
                  + "; 2025-03-26 to 2025-11-25 would be right"));
    }
    return new Reply.Answered<>(introduction(revision, result, result.at("serverInfo")));
  }

  /**
   * Reads the result of {@code server/discover}.
   *
   * @return a failure where the server does not speak 2026-07-28
   */
  public static Reply<Introduction> discovered(Json result) {
    Json versions = result.at("supportedVersions");
    List<Json> supported = versions == null ? List.of() : versions.elements();
    if (!supported.contains(Json.text(Revision.V2026_07_28.date()))) {
      return Reply.failed(
          new Failure.NotSent("the server does not list 2026-07-28 among its protocol versions"));
    }
    Json info = result.at(META, SERVER_INFO);
    return new Reply.Answered<>(
        introduction(Revision.V2026_07_28, result, info == null ? result.at("serverInfo") : info));
  }

  /**
   * Whether an error answer to a request of 2026-07-28 comes from a server that speaks it: any
   * other tells an older server apart (MCP 2026-07-28, Versioning).
   */
  public static boolean speaks2026(RpcError error) {
    return switch (error.code()) {
      case RpcError.HEADER_MISMATCH, RpcError.MISSING_CAPABILITY -> true;
      case RpcError.UNSUPPORTED_REVISION -> {
        Json supported = error.data() == null ? null : error.data().at("supported");
        yield supported != null
            && supported.elements().contains(Json.text(Revision.V2026_07_28.date()));
      }
      default -> false;
    };
  }

  /**
   * The parameters of a request as they go out.
   *
   * @param token asks the server for progress, so that it can be seen even where the client did not
   *     ask for it; set on tool calls only
   */
  public static JsonObject params(
      String method, JsonObject params, Revision revision, Exchange.Caller caller, Json token) {
    JsonObject given = params.object(META);
    JsonObject meta =
        given.without(PROTOCOL_VERSION).without(CLIENT_INFO).without(CLIENT_CAPABILITIES);
    if (method.equals(TOOLS_CALL)) {
      meta = meta.with(PROGRESS_TOKEN, token);
    }
    if (revision.hasSessions()) {
      meta = meta.without(LOG_LEVEL);
    } else {
      meta =
          meta.with(PROTOCOL_VERSION, Json.text(revision.date()))
              .with(CLIENT_INFO, caller.info())
              .with(CLIENT_CAPABILITIES, capabilities(method, caller.capabilities()));
    }
    return meta.isEmpty() && given.isEmpty() ? params : params.with(META, meta);
  }

  /** A server may make a task of a tool call: the gateway waits for it, whoever the client is. */
  private static JsonObject capabilities(String method, JsonObject ofClient) {
    return method.equals(TOOLS_CALL) || method.startsWith("tasks/")
        ? ofClient.with("extensions", ofClient.object("extensions").with(TASKS, JsonObject.EMPTY))
        : ofClient;
  }

  private static Introduction introduction(
      Revision revision, Json result, @Nullable Json serverInfo) {
    Json capabilities = result.at("capabilities");
    return new Introduction(
        revision,
        serverInfo == null ? JsonObject.EMPTY.toJson() : serverInfo,
        capabilities == null ? JsonObject.EMPTY : capabilities.asObject().orElse(JsonObject.EMPTY),
        result.textAt("instructions"));
  }
}
