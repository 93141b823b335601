package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;

/**
 * A request to be sent, with whatever is special about it. Immutable; each method returns a changed
 * copy.
 *
 * @param method the JSON-RPC method
 * @param params its params, without what the client adds by itself
 * @param headers HTTP headers in addition to the client's, replacing those of the same name
 */
public record McpRequest(String method, ObjectNode params, HttpHeaders headers) {

  public McpRequest {
    params = params.deepCopy();
    headers = new HttpHeaders().setAll(headers);
  }

  /** A tools/call with these arguments, a JSON object. */
  public static McpRequest call(String tool, String argumentsJson) {
    JsonNode arguments = JsonRpc.parse(argumentsJson);
    return of("tools/call", JsonRpc.object("name", tool, "arguments", arguments));
  }

  /** Any other request. */
  public static McpRequest of(String method, JsonNode params) {
    return new McpRequest(method, (ObjectNode) params, new HttpHeaders());
  }

  /** With this entry in {@code _meta}. */
  public McpRequest meta(String key, String json) {
    ObjectNode changed = params.deepCopy();
    changed.withObjectProperty("_meta").set(key, JsonRpc.parse(json));
    return new McpRequest(method, changed, headers);
  }

  /** Asks for progress under this token. */
  public McpRequest progressToken(String token) {
    return meta("progressToken", JsonRpc.text(JsonRpc.tree(token)));
  }

  /** With this member beside name and arguments. */
  public McpRequest param(String key, String json) {
    ObjectNode changed = params.deepCopy();
    changed.set(key, JsonRpc.parse(json));
    return new McpRequest(method, changed, headers);
  }

  /** With this HTTP header. */
  public McpRequest header(String name, String value) {
    return new McpRequest(method, params, new HttpHeaders().setAll(headers).set(name, value));
  }
}
