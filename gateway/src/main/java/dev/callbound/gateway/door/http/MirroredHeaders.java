package dev.callbound.gateway.door.http;

import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import io.helidon.http.HeaderName;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers that repeat what the body says, so that what stands in between need not read it. They
 * must agree with it (MCP 2026-07-28, Streamable HTTP, server validation).
 */
final class MirroredHeaders {
  private static final String PARAMETER = "mcp-param-";
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  private MirroredHeaders() {}

  /** Checks the revision that the body names, before anything of the body is relied on. */
  static void checkVersion(Headers headers, Message.Request request, String version)
      throws RefusedException {
    check(headers, request, HeaderField.PROTOCOL_VERSION, version);
  }

  /** Checks the method, and the name of what is called, read or taken. */
  static void checkMethodAndName(Headers headers, Message.Request request) throws RefusedException {
    check(headers, request, HeaderField.METHOD, request.method());
    String member = named(request.method());
    if (member != null) {
      String name = request.params().text(member);
      // Without a name the body is wrong, which is for whoever reads it to say.
      if (name != null) {
        check(headers, request, HeaderField.NAME, name);
      }
    }
  }

  /** The headers that repeat arguments, by their names in lower case without the prefix. */
  static Map<String, String> parameters(Headers headers) {
    Map<String, String> parameters = new HashMap<>();
    headers.forEach(
        header -> {
          String name = header.headerName().lowerCase();
          if (name.startsWith(PARAMETER)) {
            parameters.put(name.substring(PARAMETER.length()), header.values());
          }
        });
    return parameters;
  }

  private static @Nullable String named(String method) {
    return switch (method) {
      case "tools/call", "prompts/get" -> "name";
      case "resources/read" -> "uri";
      case "tasks/get", "tasks/update", "tasks/cancel" -> "taskId";
      default -> null;
    };
  }

  private static void check(Headers headers, Message.Request request, HeaderName field, String body)
      throws RefusedException {
    String header = headers.first(field).orElse(null);
    if (header == null) {
      throw mismatch(request, field.defaultCase() + " header is missing; it must be " + body);
    }
    String value = field.equals(HeaderField.NAME) ? decoded(header, request) : header;
    if (!value.equals(body)) {
      throw mismatch(
          request, field.defaultCase() + " header " + value + " does not match the body's " + body);
    }
  }

  private static String decoded(String header, Message.Request request) throws RefusedException {
    if (!header.startsWith(ENCODED)
        || !header.endsWith(ENCODED_END)
        || header.length() < ENCODED.length() + ENCODED_END.length()) {
      return header;
    }
    try {
      byte[] bytes =
          Base64.getDecoder()
              .decode(header.substring(ENCODED.length(), header.length() - ENCODED_END.length()));
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw mismatch(request, "Mcp-Name header is not valid Base64");
    }
  }

  private static RefusedException mismatch(Message.Request request, String message) {
    return RefusedException.of(
        Status.BAD_REQUEST_400,
        RpcError.of(RpcError.HEADER_MISMATCH, "Header mismatch: " + message),
        request.id());
  }
}
