package dev.callbound.gateway.profile;

import dev.callbound.gateway.mcp.Json;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the input schema of a tool says of its arguments, as far as it says so plainly: a schema
 * that is put together from others is taken to allow anything.
 *
 * @param schema the tool's {@code inputSchema}; null if it has none
 */
record ToolSchema(@Nullable Json schema) {
  /** Words by which a schema may allow arguments that its {@code properties} don't list. */
  private static final List<String> COMPOSED =
      List.of("$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas");

  /** That of a tool, as its server lists it. */
  static ToolSchema of(Json tool) {
    return new ToolSchema(tool.at("inputSchema"));
  }

  /** Whether it lists this argument. */
  boolean lists(String argument) {
    return property(argument) != null;
  }

  /**
   * Whether it can be that the tool has no such argument: nothing but {@code properties} counts.
   */
  boolean isPlain() {
    return schema != null && COMPOSED.stream().allMatch(word -> schema.at(word) == null);
  }

  /** Whether arguments that it doesn't list are refused. */
  boolean isClosed() {
    Json others = schema == null ? null : schema.at("additionalProperties");
    return others != null && others.equals(Json.FALSE) && isPlain();
  }

  /** Whether an argument that it lists can be a text. */
  boolean takesText(String argument) {
    Json property = property(argument);
    Json type = property == null ? null : property.at("type");
    if (type == null) {
      return true;
    }
    return type.isArray()
        ? type.elements().stream().anyMatch(ToolSchema::isTextType)
        : isTextType(type);
  }

  /** The arguments that it asks for. */
  Set<String> required() {
    Set<String> names = new TreeSet<>();
    Json required = schema == null ? null : schema.at("required");
    if (required != null) {
      required.elements().forEach(name -> name.asText().ifPresent(names::add));
    }
    return names;
  }

  private @Nullable Json property(String argument) {
    return schema == null ? null : schema.at("properties", argument);
  }

  private static boolean isTextType(Json type) {
    return type.asText().filter("string"::equals).isPresent();
  }
}
