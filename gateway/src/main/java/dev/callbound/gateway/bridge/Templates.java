package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills the arguments of a check from those of the call: <code>{/pointer}</code> stands for an
 * argument, <code>{key}</code> for the key. Alone in a text it is the value itself, within a longer
 * one its text. Pure.
 */
final class Templates {
  private static final Pattern PLACE = Pattern.compile("\\{(key|/[^{}]*)}");

  private Templates() {}

  /** The arguments, filled in; null when they name something that the call does not have. */
  static @Nullable JsonObject fill(Json template, Json arguments, String key) {
    Json filled = filled(template, arguments, key);
    return filled == null ? null : filled.asObject().orElse(JsonObject.EMPTY);
  }

  private static @Nullable Json filled(Json template, Json arguments, String key) {
    if (template.isText()) {
      return text(template.asText().orElseThrow(), arguments, key);
    }
    if (template.isArray()) {
      List<Json> elements = new ArrayList<>();
      for (Json element : template.elements()) {
        Json filled = filled(element, arguments, key);
        if (filled == null) {
          return null;
        }
        elements.add(filled);
      }
      return Json.array(elements);
    }
    if (!template.isObject()) {
      return template;
    }
    JsonObject object = JsonObject.EMPTY;
    for (Map.Entry<String, Json> member : template.asObject().orElseThrow().members().entrySet()) {
      Json filled = filled(member.getValue(), arguments, key);
      if (filled == null) {
        return null;
      }
      object = object.with(member.getKey(), filled);
    }
    return object.toJson();
  }

  private static @Nullable Json text(String text, Json arguments, String key) {
    Matcher place = PLACE.matcher(text);
    if (place.matches()) {
      return value(place.group(1), arguments, key);
    }
    place.reset();
    StringBuilder whole = new StringBuilder();
    while (place.find()) {
      Json value = value(place.group(1), arguments, key);
      if (value == null) {
        return null;
      }
      place.appendReplacement(
          whole, Matcher.quoteReplacement(value.asText().orElseGet(value::toString)));
    }
    place.appendTail(whole);
    return Json.text(whole.toString());
  }

  private static @Nullable Json value(String name, Json arguments, String key) {
    return name.equals("key") ? Json.text(key) : Pointers.at(arguments, name);
  }
}
