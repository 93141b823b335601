package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON pointers (RFC 6901) into values that stay the bytes they came in; {@code *} stands for every
 * element of an array. Pure.
 */
final class Pointers {
  static final String ANY = "*";

  private Pointers() {}

  /** The parts of a pointer, unescaped; none for the pointer to everything. */
  static List<String> parts(String pointer) {
    if (pointer.isEmpty()) {
      return List.of();
    }
    if (!pointer.startsWith("/")) {
      throw new IllegalArgumentException("a JSON pointer begins with a slash: " + pointer);
    }
    List<String> parts = new ArrayList<>();
    for (String part : pointer.substring(1).split("/", -1)) {
      parts.add(part.replace("~1", "/").replace("~0", "~"));
    }
    return parts;
  }

  /** The value at a pointer; null where it points to nothing. */
  static @Nullable Json at(Json value, String pointer) {
    return at(value, parts(pointer));
  }

  static @Nullable Json at(Json value, List<String> parts) {
    Json here = value;
    for (String part : parts) {
      here = member(here, part);
      if (here == null) {
        return null;
      }
    }
    return here;
  }

  private static @Nullable Json member(Json value, String part) {
    if (value.isObject()) {
      return value.at(part);
    }
    List<Json> elements = value.elements();
    return part.matches("0|[1-9]\\d{0,8}") && Integer.parseInt(part) < elements.size()
        ? elements.get(Integer.parseInt(part))
        : null;
  }
}
