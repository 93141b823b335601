package dev.callbound.gateway.door.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;

/** The header fields that MCP and this gateway add to HTTP's own. */
final class HeaderField {
  static final HeaderName SESSION = HeaderNames.create("Mcp-Session-Id");
  static final HeaderName PROTOCOL_VERSION = HeaderNames.create("MCP-Protocol-Version");
  static final HeaderName METHOD = HeaderNames.create("Mcp-Method");
  static final HeaderName NAME = HeaderNames.create("Mcp-Name");
  static final HeaderName IDEMPOTENCY_KEY = HeaderNames.create("Idempotency-Key");
  static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");

  /** The run that a call belongs to: asked for by the client, and told to it. */
  static final HeaderName RUN = HeaderNames.create("Callbound-Run");

  /** The client's own name for a place in its work. */
  static final HeaderName STEP = HeaderNames.create("Callbound-Step");

  /** The id to look a call up by. */
  static final HeaderName CALL = HeaderNames.create("Callbound-Call");

  /** Asks reverse proxies to pass events on as they come (MCP 2026-07-28, Streamable HTTP). */
  static final HeaderName ACCEL_BUFFERING = HeaderNames.create("X-Accel-Buffering");

  private HeaderField() {}
}
