package dev.callbound.benchmarks.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the server needs of a JSON-RPC request or notification.
 *
 * @param id the JSON of the id, or null for a notification
 * @param tool the tool's name; empty if it is not a call
 * @param number the argument n; 0 if there is none
 */
record Call(String method, @Nullable String id, String tool, long number) {

  static Call parse(JsonFactory json, String body) throws IOException {
    var method = "";
    String id = null;
    var tool = "";
    var number = 0L;
    try (var parser = json.createParser(body)) {
      parser.nextToken();
      for (var field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
        var value = parser.nextToken();
        switch (field) {
          case "method" -> method = parser.getText();
          case "id" -> id = value == JsonToken.VALUE_STRING ? quoted(parser) : parser.getText();
          case "params" -> {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
              var name = parser.currentName();
              parser.nextToken();
              if ("name".equals(name)) {
                tool = parser.getText();
              } else if ("arguments".equals(name)) {
                number = number(parser);
              } else {
                parser.skipChildren();
              }
            }
          }
          default -> parser.skipChildren();
        }
      }
    }
    return new Call(method, id, tool, number);
  }

  private static String quoted(JsonParser parser) throws IOException {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(parser.getText())) + '"';
  }

  private static long number(JsonParser parser) throws IOException {
    var number = 0L;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      if ("n".equals(name)) {
        number = parser.getLongValue();
      } else {
        parser.skipChildren();
      }
    }
    return number;
  }
}
