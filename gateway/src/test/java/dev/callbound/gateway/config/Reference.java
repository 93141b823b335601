package dev.callbound.gateway.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes {@link Keys} down for people, as tables, and for editors, as a JSON Schema. */
final class Reference {
  static final List<Section> SECTIONS =
      List.of(
          Keys.File.SECTION,
          Keys.Server.SECTION,
          Keys.Tool.SECTION,
          RecogniseKeys.SECTION,
          RecogniseKeys.ByKey.SECTION,
          RecogniseKeys.Marker.SECTION,
          RecogniseKeys.Check.SECTION,
          RecogniseKeys.Pages.SECTION,
          RecogniseKeys.Found.SECTION,
          Keys.SERVER_CALL.circuits().section(),
          Keys.TOOL_CALL.circuits().section(),
          Keys.Defaults.SECTION,
          Keys.DEFAULT_CALL.circuits().section(),
          Keys.Run.SECTION,
          Keys.Wait.SECTION,
          Keys.Listen.SECTION,
          Keys.Token.SECTION,
          Keys.Journal.SECTION,
          Keys.Expect.SECTION);

  /** Those of a profile's file; what it says of a tool's recognition is said as in the config. */
  static final List<Section> PROFILE =
      List.of(
          ProfileKeys.SECTION,
          ProfileKeys.Server.SECTION,
          ProfileKeys.Status.SECTION,
          ProfileKeys.Tool.SECTION);

  private static final Pattern TABLE =
      Pattern.compile("(<!-- keys: ([^>]+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

  private Reference() {}

  /** The docs with every table in them written anew. */
  static String docs(String docs) {
    return TABLE
        .matcher(docs)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group(1) + "\n" + table(section(found)) + "\n" + found.group(3)));
  }

  /** The sections whose tables are in the docs, in their order. */
  static List<Section> sectionsIn(String docs) {
    return TABLE.matcher(docs).results().map(Reference::section).toList();
  }

  private static Section section(MatchResult found) {
    return Stream.concat(SECTIONS.stream(), PROFILE.stream())
        .filter(section -> section.title().equals(found.group(2)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no section " + found.group(2)));
  }

  private static String table(Section section) {
    return "| key | value | default | what it is |\n| --- | --- | --- | --- |\n"
        + section.keys().stream().map(Reference::row).collect(Collectors.joining());
  }

  private static String row(Key key) {
    String value =
        switch (key) {
          case Key.Value<?> one -> one.format().name();
          case Key.Values<?> many -> "a list, each " + many.format().name();
          case Key.Pairs _ -> "names and texts";
          case Key.Part _ -> "keys, see below";
          case Key.PartOrWord part -> "`" + part.word() + "` or keys, see below";
          case Key.Tree _ -> "names and any values";
          case Key.Parts _ -> "names and keys, see below";
          case Key.Entries _ -> "a list of keys, see below";
        };
    return "| `%s` | %s | %s | %s |\n".formatted(key.name(), value, standard(key), key.help());
  }

  private static String standard(Key key) {
    return switch (key) {
      case Key.Value<?> one ->
          one.standard() == null ? one.defaultText() : "`" + one.defaultText() + "`";
      case Key.Values<?> many ->
          many.standard() == null
              ? many.defaultText()
              : many.standard().isEmpty()
                  ? "none"
                  : "`" + many.defaultText().replace(", ", "`, `") + "`";
      case Key.PartOrWord part -> part.standard();
      case Key.Pairs _, Key.Tree _, Key.Part _, Key.Parts _, Key.Entries _ -> "none";
    };
  }

  /** The JSON Schema of the config. */
  static String schema() {
    return schema("Callbound configuration", Keys.File.SECTION);
  }

  /** The JSON Schema of a profile. */
  static String profileSchema() {
    return schema("Callbound profile", ProfileKeys.SECTION);
  }

  private static String schema(String title, Section section) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", title);
    schema.putAll(mapping(section));
    Map<String, Object> definitions = new LinkedHashMap<>();
    definitions.put("variable", Map.of("type", "string", "pattern", "\\$\\{"));
    schema.put("$defs", definitions);
    try {
      DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
      printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
      return new ObjectMapper().writer(printer).writeValueAsString(sorted(schema)) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static Map<String, Object> mapping(Section section) {
    Map<String, Object> properties = new LinkedHashMap<>();
    section.keys().forEach(key -> properties.put(key.name(), property(key)));
    Map<String, Object> mapping = new LinkedHashMap<>();
    mapping.put("type", List.of("object", "null"));
    mapping.put("properties", properties);
    mapping.put("additionalProperties", false);
    if (section.equals(Keys.Server.SECTION)) {
      mapping.put(
          "oneOf",
          List.of(
              Map.of("required", List.of(Keys.Server.COMMAND.name())),
              Map.of("required", List.of(Keys.Server.URL.name()))));
    }
    List<String> required =
        section.keys().stream()
            .filter(key -> key instanceof Key.Value<?> one && one.defaultText().equals("required"))
            .map(Key::name)
            .toList();
    if (!required.isEmpty()) {
      mapping.put("required", required);
    }
    return mapping;
  }

  private static Map<String, Object> property(Key key) {
    Map<String, Object> property = new LinkedHashMap<>();
    switch (key) {
      case Key.Value<?> one -> property.putAll(value(one.format()));
      case Key.Values<?> many -> {
        property.put("type", "array");
        property.put("items", value(many.format()));
      }
      case Key.Pairs _ -> {
        property.put("type", List.of("object", "null"));
        property.put("additionalProperties", value(Formats.TEXT));
      }
      case Key.Part part -> property.putAll(mapping(part.section()));
      case Key.PartOrWord part ->
          property.put(
              "anyOf",
              part.word().equals("off")
                  // YAML 1.1, which some editors read, takes a plain off for false.
                  ? List.of(
                      Map.of("const", part.word()), Map.of("const", false), mapping(part.section()))
                  : List.of(Map.of("const", part.word()), mapping(part.section())));
      case Key.Tree _ -> property.put("type", List.of("object", "null"));
      case Key.Parts parts -> {
        property.put("type", List.of("object", "null"));
        property.put("additionalProperties", mapping(parts.section()));
        if (parts.equals(Keys.File.SERVERS)) {
          property.put("propertyNames", Map.of("pattern", "^(?!.*__)[A-Za-z0-9_-]{1,32}$"));
        }
      }
      case Key.Entries entries -> {
        property.put("type", "array");
        property.put("items", mapping(entries.section()));
      }
    }
    property.put("description", key.help());
    Object standard = schemaDefault(key);
    if (standard != null) {
      property.put("default", standard);
    }
    return property;
  }

  /** Null for a default that depends on something. */
  private static @Nullable Object schemaDefault(Key key) {
    return switch (key) {
      case Key.Value<?> one ->
          switch (one.standard()) {
            case null -> null;
            case Boolean flag -> flag;
            // A size is an integer too, but is written with its unit.
            case Integer count when one.defaultText().equals(count.toString()) -> count;
            case Object _ -> one.defaultText();
          };
      case Key.Values<?> many -> many.standard();
      case Key.Pairs _, Key.Tree _, Key.Part _, Key.PartOrWord _, Key.Parts _, Key.Entries _ ->
          null;
    };
  }

  /** A value of this format, or a text with a variable in it. */
  private static Map<String, Object> value(Format<?> format) {
    if (format.equals(Formats.TEXT)) {
      return Map.of("type", List.of("string", "number", "boolean"));
    }
    return Map.of("anyOf", List.of(format.schema(), Map.of("$ref", "#/$defs/variable")));
  }

  /** Properties keep the order of the keys; the words of the schema have none of their own. */
  private static Object sorted(Object value) {
    return switch (value) {
      case LinkedHashMap<?, ?> ordered -> {
        Map<Object, Object> copy = new LinkedHashMap<>();
        ordered.forEach((key, inner) -> copy.put(key, sorted(inner)));
        yield copy;
      }
      case Map<?, ?> unordered -> {
        Map<Object, Object> copy = new TreeMap<>();
        unordered.forEach((key, inner) -> copy.put(key, sorted(inner)));
        yield copy;
      }
      case List<?> list -> list.stream().map(Reference::sorted).toList();
      default -> value;
    };
  }
}
