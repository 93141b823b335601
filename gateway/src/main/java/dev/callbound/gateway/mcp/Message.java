package dev.callbound.gateway.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A JSON-RPC 2.0 message (MCP allows no batches since 2025-06-18, and this gateway takes none). */
public sealed interface Message {
  /**
   * A request, to be answered.
   *
   * @param id a string or a number, kept as it came
   * @param params its members; empty when there are none
   */
  record Request(Json id, String method, JsonObject params) implements Message {
    /** This request under other parameters. */
    public Request with(JsonObject changed) {
      return new Request(id, method, changed);
    }
  }

  /** A message that gets no answer. */
  record Notification(String method, JsonObject params) implements Message {}

  /** An answer to a request. */
  sealed interface Response extends Message {
    /** The id of the request that it answers; {@code null} as JSON where that could not be read. */
    Json id();
  }

  /** The result of a request, as the bytes it came in. */
  record Result(Json id, Json result) implements Response {}

  /** The failure of a request. */
  record ErrorResponse(Json id, RpcError error) implements Response {}

  /**
   * Reads one message.
   *
   * @throws MalformedMessageException if the bytes are not JSON, or not one JSON-RPC message
   */
  static Message parse(byte[] bytes) throws MalformedMessageException {
    return of(Json.parse(bytes));
  }

  /**
   * Reads a message from a value.
   *
   * @throws MalformedMessageException if it is not a JSON-RPC message
   */
  static Message of(Json json) throws MalformedMessageException {
    if (json.isArray()) {
      throw invalid("batches are not supported: send one message at a time");
    }
    JsonObject members =
        json.asObject().orElseThrow(() -> invalid("a message must be a JSON object"));
    if (!"2.0".equals(members.text("jsonrpc"))) {
      throw invalid("\"jsonrpc\" must be \"2.0\"");
    }
    Json id = members.get("id");
    if (members.get("method") == null) {
      return response(members, id);
    }
    String method = members.text("method");
    if (method == null) {
      throw invalid("\"method\" must be a string");
    }
    Json params = members.get("params");
    if (params != null && !params.isObject()) {
      throw invalid("\"params\" must be an object");
    }
    JsonObject named = members.object("params");
    if (id == null) {
      return new Notification(method, named);
    }
    if (!id.isText() && !id.isNumber()) {
      throw invalid("\"id\" must be a string or a number");
    }
    return new Request(id, method, named);
  }

  private static Response response(JsonObject members, @Nullable Json id)
      throws MalformedMessageException {
    Json result = members.get("result");
    Json error = members.get("error");
    if ((result == null) == (error == null)) {
      throw invalid("a message needs a \"method\", or one of \"result\" and \"error\"");
    }
    Json answered = id == null ? Json.NULL : id;
    if (result != null) {
      return new Result(answered, result);
    }
    return new ErrorResponse(answered, RpcError.read(error == null ? Json.NULL : error));
  }

  private static MalformedMessageException invalid(String what) {
    return new MalformedMessageException(RpcError.INVALID_REQUEST, what);
  }

  /** Writes the message on one line, without an end of line. */
  default void writeTo(OutputStream out) throws IOException {
    switch (this) {
      case Request(Json id, String method, JsonObject params) -> {
        ascii(out, "{\"jsonrpc\":\"2.0\",\"id\":");
        id.writeTo(out);
        method(out, method, params);
      }
      case Notification(String method, JsonObject params) -> {
        ascii(out, "{\"jsonrpc\":\"2.0\"");
        method(out, method, params);
      }
      case Result(Json id, Json result) -> {
        ascii(out, "{\"jsonrpc\":\"2.0\",\"id\":");
        id.writeTo(out);
        ascii(out, ",\"result\":");
        result.writeTo(out);
      }
      case ErrorResponse(Json id, RpcError error) -> {
        ascii(out, "{\"jsonrpc\":\"2.0\",\"id\":");
        id.writeTo(out);
        ascii(out, ",\"error\":");
        error.toJson().toJson().writeTo(out);
      }
    }
    out.write('}');
  }

  private static void method(OutputStream out, String method, JsonObject params)
      throws IOException {
    ascii(out, ",\"method\":");
    Json.text(method).writeTo(out);
    if (!params.isEmpty()) {
      ascii(out, ",\"params\":");
      params.toJson().writeTo(out);
    }
  }

  private static void ascii(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** The bytes of the message. */
  default byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try {
      writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("an array does not fail", e);
    }
    return out.toByteArray();
  }
}
