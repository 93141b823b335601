package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header fields that each revision wants with a message (MCP, Streamable HTTP). */
final class Headers {
  static final String SESSION = "Mcp-Session-Id";

  private static final String REVISION = "MCP-Protocol-Version";
  private static final String BOTH = "application/json, text/event-stream";
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");
  private static final String ENCODED = "=?base64?";

  private Headers() {}

  /** For the opening of a conversation, before anything has been agreed on. */
  static Map<String, String> opening(Revision revision) {
    Map<String, String> headers = accepting(BOTH);
    if (!revision.hasSessions()) {
      modern(headers, Dialect.DISCOVER, JsonObject.EMPTY, Map.of());
    }
    return headers;
  }

  /** For a message that is posted. */
  static Map<String, String> post(
      Terms terms, @Nullable String method, JsonObject params, Map<String, String> mirrored) {
    Map<String, String> headers = accepting(BOTH);
    if (terms.revision().hasSessions()) {
      session(headers, terms);
    } else {
      modern(headers, method == null ? "" : method, params, mirrored);
    }
    return headers;
  }

  /**
   * For a stream that is opened or resumed, and for the end of a session.
   *
   * @param lastEventId where to resume; null to begin
   */
  static Map<String, String> stream(Terms terms, @Nullable String lastEventId) {
    Map<String, String> headers = accepting("text/event-stream");
    session(headers, terms);
    if (lastEventId != null) {
      headers.put("Last-Event-ID", lastEventId);
    }
    return headers;
  }

  private static Map<String, String> accepting(String mediaTypes) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Accept", mediaTypes);
    headers.put("User-Agent", "callbound");
    return headers;
  }

  private static void session(Map<String, String> headers, Terms terms) {
    String session = terms.session();
    if (session != null) {
      headers.put(SESSION, session);
    }
    if (terms.revision() != Revision.V2025_03_26) {
      headers.put(REVISION, terms.revision().date());
    }
  }

  private static void modern(
      Map<String, String> headers, String method, JsonObject params, Map<String, String> mirrored) {
    headers.put(REVISION, Revision.V2026_07_28.date());
    headers.put("Mcp-Method", method);
    String name =
        switch (method) {
          case "tools/call", "prompts/get" -> params.text("name");
          case "resources/read" -> params.text("uri");
          case "tasks/get", "tasks/update", "tasks/cancel" -> params.text("taskId");
          default -> null;
        };
    if (name != null) {
      headers.put("Mcp-Name", encode(name));
    }
    mirrored.forEach(
        (header, value) -> {
          // The name comes from the server's schema: what is no header name stays out.
          if (TOKEN.matcher(header).matches()) {
            headers.put("Mcp-Param-" + header, encode(value));
          }
        });
  }

  /** A value that a header can't carry as it is goes as Base64 (MCP 2026-07-28, Value Encoding). */
  static String encode(String value) {
    boolean plain =
        value.equals(value.strip())
            && value.chars().allMatch(c -> c >= 0x20 && c <= 0x7e)
            && !(value.startsWith(ENCODED) && value.endsWith("?="));
    return plain
        ? value
        : ENCODED
            + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))
            + "?=";
  }
}
