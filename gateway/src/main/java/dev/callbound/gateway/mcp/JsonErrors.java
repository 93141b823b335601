package dev.callbound.gateway.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;

/** Says what was wrong with some JSON, without quoting it: content never reaches a log. */
final class JsonErrors {
  private JsonErrors() {}

  static MalformedMessageException of(IOException e) {
    String what =
        switch (e) {
          case StreamConstraintsException _ ->
              "nested deeper than " + Json.MAX_DEPTH + " levels, or a number or name too long";
          case JsonProcessingException json
              when json.getOriginalMessage().startsWith("Duplicate field") ->
              "an object has the same name twice";
          case JsonProcessingException json
              when json.getOriginalMessage().startsWith("Invalid UTF-8") ->
              "not UTF-8";
          case JsonProcessingException _ -> "not JSON";
          // Jackson reports bytes that are not UTF-8 as a plain CharConversionException.
          default -> "not UTF-8";
        };
    String where =
        e instanceof JsonProcessingException json && json.getLocation() != null
            ? ", at byte " + Math.max(0, json.getLocation().getByteOffset())
            : "";
    return new MalformedMessageException(RpcError.PARSE_ERROR, what + where);
  }
}
