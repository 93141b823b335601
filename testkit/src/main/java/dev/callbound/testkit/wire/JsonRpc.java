package dev.callbound.testkit.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The envelopes of JSON-RPC 2.0 as trees. */
public final class JsonRpc {
  /** Longest string read, in characters: above any result that a test asks for. */
  private static final int MAX_STRING_LENGTH = 128 * 1024 * 1024;

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(MAX_STRING_LENGTH).build())
              .build());

  private JsonRpc() {}

  /** The answer to the request with this id. */
  public static ObjectNode result(JsonNode id, JsonNode result) {
    return object("jsonrpc", "2.0", "id", id, "result", result);
  }

  /** The error answer to the request with this id; no data where {@code data} is null. */
  public static ObjectNode error(JsonNode id, int code, String message, @Nullable JsonNode data) {
    ObjectNode error = object("code", code, "message", message, "data", data);
    return object("jsonrpc", "2.0", "id", id, "error", error);
  }

  public static ObjectNode request(Object id, String method, JsonNode params) {
    return object("jsonrpc", "2.0", "id", id, "method", method, "params", params);
  }

  /** A notification; without params where they are null. */
  public static ObjectNode notification(String method, @Nullable JsonNode params) {
    return object("jsonrpc", "2.0", "method", method, "params", params);
  }

  /** Whether the message asks for an answer. */
  public static boolean isRequest(JsonNode message) {
    return message.has("method") && message.has("id");
  }

  /** Whether the message answers a request. */
  public static boolean isResponse(JsonNode message) {
    return !message.has("method") && (message.has("result") || message.has("error"));
  }

  /**
   * An object of names and values in turn, without the pairs whose value is null.
   *
   * @throws IllegalArgumentException if a name is left without a value
   */
  public static ObjectNode object(@Nullable Object... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "names and values must come in pairs: " + namesAndValues.length + " given");
    }
    ObjectNode node = MAPPER.createObjectNode();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      if (value != null) {
        node.set(String.valueOf(namesAndValues[i]), tree(value));
      }
    }
    return node;
  }

  /** The tree of a string, number, boolean, list, map or node. */
  public static JsonNode tree(Object value) {
    return value instanceof JsonNode node ? node : MAPPER.valueToTree(value);
  }

  /**
   * The tree of a JSON text.
   *
   * @throws IllegalArgumentException if it is not JSON
   */
  public static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + json, e);
    }
  }

  /**
   * The tree of JSON bytes as they came from the wire.
   *
   * @throws IOException if they are not JSON
   */
  public static JsonNode read(byte[] json) throws IOException {
    JsonNode node = MAPPER.readTree(json);
    if (node.isMissingNode()) {
      throw new IOException("not JSON: empty");
    }
    return node;
  }

  /** The message as UTF-8, in one line. */
  public static byte[] bytes(JsonNode message) {
    try {
      return MAPPER.writeValueAsBytes(message);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The message as text, in one line. */
  public static String text(JsonNode message) {
    try {
      return MAPPER.writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
