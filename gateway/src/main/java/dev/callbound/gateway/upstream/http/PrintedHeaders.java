package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.HeaderRules;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a command for headers printed, taken apart. */
sealed interface PrintedHeaders {
  /**
   * Header fields by their names.
   *
   * @param fields without those that the gateway sets itself, as it is for {@code headers}
   */
  record Fields(Map<String, Secret> fields) implements PrintedHeaders {}

  /**
   * Something else.
   *
   * @param why what it did wrong, such as {@code printed no JSON object}; never what it printed,
   *     but for a header's name
   * @param lastWords what it said last on its standard error, without what it printed: for the log
   *     alone, since nobody knows what else is in there; empty for nothing
   */
  record Wrong(String why, String lastWords) implements PrintedHeaders {
    Wrong(String why) {
      this(why, "");
    }
  }

  /** Takes apart what was printed: one JSON object of header names and texts. */
  static PrintedHeaders of(String printed) {
    Json json;
    try {
      json = Json.parse(printed.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedMessageException _) {
      return new Wrong("printed no JSON");
    }
    if (!json.isObject()) {
      return new Wrong("printed JSON that is no object");
    }
    Map<String, Secret> fields = new LinkedHashMap<>();
    for (Map.Entry<String, Json> member : json.asObject().orElseThrow().members().entrySet()) {
      String name = member.getKey();
      String value = member.getValue().asText().orElse(null);
      if (!HeaderRules.isName(name)) {
        // Not named: it may be a whole line of a header, with the secret in it.
        return new Wrong("printed a member whose name can't be a header's");
      }
      if (value == null) {
        return new Wrong("printed a value for " + name + " that is no text");
      }
      if (!HeaderRules.isValue(value)) {
        return new Wrong(
            "printed a value for " + name + " with a line break or another control character");
      }
      if (!HeaderRules.isOwn(name)) {
        fields.put(name, Secret.of(value));
      }
    }
    return new Fields(fields);
  }
}
