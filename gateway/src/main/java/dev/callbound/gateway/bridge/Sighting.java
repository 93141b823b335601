package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.CanonicalJson;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the effect of a call in what a read tool answered: for its key anywhere in it, or for a
 * member that equals one of the call's arguments. Pure.
 *
 * <p>What can't be read for sure is no absence: an answer without content, or a pointer to nothing,
 * says nothing about the effect.
 */
sealed interface Sighting {
  /** More than one is too many; how many more does not matter. */
  long MOST_COUNTED = 10;

  /** The things that carry what was looked for; none where it is not there. */
  record Seen(List<Json> things) implements Sighting {}

  /** The answer does not say whether it is there. */
  record Unreadable(String why) implements Sighting {}

  /**
   * Looks through one page.
   *
   * @param found where to look and for what; null to look for the text anywhere
   * @param arguments the arguments of the call whose effect is looked for
   * @param text the key, as the marker carries it
   */
  static Sighting in(Json page, Recognise.@Nullable Found found, Json arguments, String text) {
    List<Json> roots = roots(page);
    if (found == null) {
      List<Json> things = new ArrayList<>();
      roots.forEach(root -> holding(root, text, things));
      return roots.isEmpty() ? new Unreadable("its answer has no content") : new Seen(things);
    }
    String equals = found.equals();
    Json wanted = equals == null ? null : wanted(equals, arguments, text);
    return equals != null && wanted == null
        ? new Unreadable("the call has no argument at " + equals)
        : chosen(roots, Pointers.parts(found.at()), found.at(), wanted);
  }

  private static @Nullable Json wanted(String equals, Json arguments, String text) {
    return equals.equals(Recognise.KEY) ? Json.text(text) : Pointers.at(arguments, equals);
  }

  /** The value at a pointer into a page; null where there is none. */
  static @Nullable Json at(Json page, String pointer) {
    List<String> parts = Pointers.parts(pointer);
    for (Json root : roots(page)) {
      Json value = Pointers.at(root, parts);
      if (value != null) {
        return value;
      }
    }
    return Pointers.at(page, parts);
  }

  /** What a tool's answer is about: its structured content, else its texts, as JSON if they are. */
  private static List<Json> roots(Json page) {
    Json structured = page.at("structuredContent");
    if (structured != null && !structured.isNull() && !isWrappedText(structured)) {
      return List.of(structured);
    }
    Json content = page.at("content");
    List<Json> roots = new ArrayList<>();
    for (Json item : content == null ? List.<Json>of() : content.elements()) {
      String text =
          item.textAt("text") == null ? item.textAt("resource", "text") : item.textAt("text");
      if (text != null) {
        roots.add(parsed(text));
      }
    }
    return roots;
  }

  /** Some servers wrap a plain text as {"result": TEXT}; the text itself is in the content too. */
  private static boolean isWrappedText(Json structured) {
    Json only = structured.at("result");
    return only != null
        && only.isText()
        && structured.asObject().orElse(JsonObject.EMPTY).members().size() == 1;
  }

  private static Json parsed(String text) {
    try {
      Json json = Json.parse(text.getBytes(StandardCharsets.UTF_8));
      return json.isObject() || json.isArray() ? json : Json.text(text);
    } catch (MalformedMessageException _) {
      // Prose, then: it is searched as it stands.
      return Json.text(text);
    }
  }

  /** Adds the things that hold the key: an element of the outermost list, or all there is. */
  private static void holding(Json root, String key, List<Json> things) {
    if (root.isText()) {
      String text = root.asText().orElseThrow();
      for (int at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length())) {
        things.add(root);
      }
      return;
    }
    Json list = outermostList(root);
    if (list == null) {
      if (mentions(root, key)) {
        things.add(root);
      }
      return;
    }
    list.elements().stream().filter(element -> mentions(element, key)).forEach(things::add);
  }

  private static @Nullable Json outermostList(Json value) {
    if (value.isArray()) {
      return value;
    }
    if (!value.isObject()) {
      return null;
    }
    List<Json> lists =
        value.asObject().orElseThrow().members().values().stream().filter(Json::isArray).toList();
    return lists.size() == 1 ? lists.getFirst() : null;
  }

  private static boolean mentions(Json value, String key) {
    if (value.isText()) {
      return value.asText().orElseThrow().contains(key);
    }
    return value.isObject()
        ? value.asObject().orElseThrow().members().values().stream()
            .anyMatch(member -> mentions(member, key))
        : value.elements().stream().anyMatch(element -> mentions(element, key));
  }

  private static Sighting chosen(
      List<Json> roots, List<String> parts, String pointer, @Nullable Json wanted) {
    List<Json> things = new ArrayList<>();
    boolean readable = false;
    for (Json root : roots) {
      readable |= choose(root, root, parts, wanted, things);
    }
    return readable
        ? new Seen(things)
        : new Unreadable("there is nothing at " + pointer + " in its answer");
  }

  /**
   * Adds the things that the rest of the pointer chooses.
   *
   * @param thing the innermost element that the pointer has led through so far
   * @param wanted what is to stand there; null for anything that counts
   * @return whether the pointer leads anywhere
   */
  private static boolean choose(
      Json thing, Json here, List<String> rest, @Nullable Json wanted, List<Json> things) {
    if (rest.isEmpty()) {
      if (wanted == null) {
        counted(thing, here, things);
      } else if (same(here, wanted)) {
        things.add(thing);
      }
      return true;
    }
    List<String> next = rest.subList(1, rest.size());
    if (!rest.getFirst().equals(Pointers.ANY)) {
      Json member = Pointers.at(here, List.of(rest.getFirst()));
      return member != null && choose(thing, member, next, wanted, things);
    }
    if (!here.isArray() && !here.isObject()) {
      return false;
    }
    // A list leads somewhere even when it is empty, or its elements lack what is looked for.
    elements(here).forEach(element -> choose(element, element, next, wanted, things));
    return true;
  }

  private static List<Json> elements(Json value) {
    return value.isArray()
        ? value.elements()
        : List.copyOf(value.asObject().orElseThrow().members().values());
  }

  /** What stands there is as many things as it says: a list its elements, a count its number. */
  private static void counted(Json thing, Json here, List<Json> things) {
    if (here.isArray()) {
      things.addAll(here.elements());
    } else if (here.isNumber()) {
      long count = Math.min(here.asLong().orElse(1), MOST_COUNTED);
      for (long i = 0; i < count; i++) {
        things.add(thing);
      }
    } else if (!here.isNull()
        && !here.equals(Json.FALSE)
        && here.asText().filter(String::isEmpty).isEmpty()) {
      things.add(here.isText() || here.isTrue() ? thing : here);
    }
  }

  private static boolean same(Json one, Json other) {
    if (one.isText() != other.isText()) {
      // An id is a number to one tool and a text to another.
      return scalar(one).equals(scalar(other));
    }
    return CanonicalJson.of(one).equals(CanonicalJson.of(other));
  }

  private static String scalar(Json value) {
    return value.asText().orElseGet(() -> CanonicalJson.of(value));
  }
}
