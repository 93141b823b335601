package dev.callbound.gateway.mcp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, one level deep: names can be looked at, added and taken away, while
 * every value stays the bytes it came in. Immutable; keeps the order.
 */
public final class JsonObject {
  /** An object without members. */
  public static final JsonObject EMPTY = new JsonObject(Map.of());

  private final Map<String, Json> members;

  private JsonObject(Map<String, Json> members) {
    this.members = Collections.unmodifiableMap(members);
  }

  static JsonObject read(Json json) {
    try (JsonParser parser = json.parser()) {
      parser.nextToken();
      return read(parser, json);
    } catch (IOException e) {
      // A Json was checked when it was read.
      throw new UncheckedIOException(e);
    }
  }

  /** Reads on from the begin of an object to its end. The parser is one of the whole's bytes. */
  static JsonObject read(JsonParser parser, Json whole) throws IOException {
    Map<String, Json> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, whole.current(parser));
    }
    return new JsonObject(members);
  }

  /** An object with one member. */
  public static JsonObject of(String name, Json value) {
    return EMPTY.with(name, value);
  }

  /** The value of a member; null where there is none. */
  public @Nullable Json get(String name) {
    return members.get(name);
  }

  /** The text of a member; null where there is none, or no text. */
  public @Nullable String text(String name) {
    Json value = members.get(name);
    return value == null ? null : value.asText().orElse(null);
  }

  /** The object that a member is; an empty one where there is none. */
  public JsonObject object(String name) {
    Json value = members.get(name);
    return value == null ? EMPTY : value.asObject().orElse(EMPTY);
  }

  /** The members, in their order. */
  public Map<String, Json> members() {
    return members;
  }

  /** Whether there is no member. */
  public boolean isEmpty() {
    return members.isEmpty();
  }

  /** This, with a member set; one of the same name is replaced in its place. */
  public JsonObject with(String name, Json value) {
    Map<String, Json> changed = new LinkedHashMap<>(members);
    changed.put(name, value);
    return new JsonObject(changed);
  }

  /** This, with a member set to an object. */
  public JsonObject with(String name, JsonObject value) {
    return with(name, value.toJson());
  }

  /** This, without a member. */
  public JsonObject without(String name) {
    if (!members.containsKey(name)) {
      return this;
    }
    Map<String, Json> changed = new LinkedHashMap<>(members);
    changed.remove(name);
    return new JsonObject(changed);
  }

  /** The object as a value. */
  public Json toJson() {
    List<Json[]> parts = new ArrayList<>(members.size());
    members.forEach((name, value) -> parts.add(new Json[] {Json.text(name), value}));
    return join('{', '}', parts);
  }

  /** Joins parts by commas; a part of two is a name and its value. */
  static Json join(char open, char close, List<Json[]> parts) {
    long size = 2L + Math.max(0, parts.size() - 1);
    for (Json[] part : parts) {
      size += part.length - 1;
      for (Json json : part) {
        size += json.length();
      }
    }
    byte[] bytes = new byte[Math.toIntExact(size)];
    int at = 0;
    bytes[at++] = (byte) open;
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        bytes[at++] = ',';
      }
      Json[] part = parts.get(i);
      for (int k = 0; k < part.length; k++) {
        if (k > 0) {
          bytes[at++] = ':';
        }
        part[k].copyTo(bytes, at);
        at += part[k].length();
      }
    }
    bytes[at] = (byte) close;
    return new Json(bytes, 0, bytes.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonObject object && members.equals(object.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  /** The JSON itself. */
  @Override
  public String toString() {
    return toJson().toString();
  }
}
