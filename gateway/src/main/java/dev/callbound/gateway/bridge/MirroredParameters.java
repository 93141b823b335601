package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a tool that its schema asks to be mirrored into headers: {@code x-mcp-header}
 * (MCP 2026-07-28, Streamable HTTP, custom headers). Immutable.
 */
final class MirroredParameters {
  private static final String ANNOTATION = "x-mcp-header";
  private static final Set<String> TYPES = Set.of("string", "integer", "boolean");
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  /** Where annotations may stand: below the root, through {@code properties} alone. */
  private record Parameter(List<String> path, String header) {}

  private final List<Parameter> parameters;
  private final @Nullable String complaint;

  private MirroredParameters(List<Parameter> parameters, @Nullable String complaint) {
    this.parameters = List.copyOf(parameters);
    this.complaint = complaint;
  }

  /** Those of an input schema. */
  static MirroredParameters of(Json schema) {
    List<Parameter> found = new ArrayList<>();
    String complaint = collect(schema, List.of(), found);
    if (complaint == null && count(schema) > found.size()) {
      complaint = "an x-mcp-header stands where no argument can be read from";
    }
    return new MirroredParameters(found, complaint);
  }

  /** What makes the tool's definition invalid; null when nothing does. */
  @Nullable String complaint() {
    return complaint;
  }

  private static @Nullable String collect(Json schema, List<String> path, List<Parameter> found) {
    JsonObject properties = members(schema).object("properties");
    for (Map.Entry<String, Json> property : properties.members().entrySet()) {
      List<String> here = new ArrayList<>(path);
      here.add(property.getKey());
      Json annotation = property.getValue().at(ANNOTATION);
      if (annotation != null) {
        String header = annotation.asText().orElse("");
        String type = property.getValue().textAt("type");
        if (!TOKEN.matcher(header).matches()) {
          return "an x-mcp-header is no header name";
        }
        if (type == null || !TYPES.contains(type)) {
          return "x-mcp-header " + header + " is on no string, integer or boolean";
        }
        if (found.stream().anyMatch(other -> other.header().equalsIgnoreCase(header))) {
          return "x-mcp-header " + header + " is there twice";
        }
        found.add(new Parameter(List.copyOf(here), header));
      }
      String complaint = collect(property.getValue(), here, found);
      if (complaint != null) {
        return complaint;
      }
    }
    return null;
  }

  /** How many annotations there are anywhere, but for a property that is itself called so. */
  private static int count(Json json) {
    int count = 0;
    if (json.isArray()) {
      for (Json element : json.elements()) {
        count += count(element);
      }
    } else if (json.isObject()) {
      for (Map.Entry<String, Json> member : members(json).members().entrySet()) {
        if (member.getKey().equals("properties") && member.getValue().isObject()) {
          for (Json property : members(member.getValue()).members().values()) {
            count += count(property);
          }
        } else if (member.getKey().equals(ANNOTATION)) {
          count++;
        } else {
          count += count(member.getValue());
        }
      }
    }
    return count;
  }

  /** The values to mirror, by header name; an argument that is absent or null has none. */
  Map<String, String> values(Json arguments) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Parameter parameter : parameters) {
      Json value = arguments.at(parameter.path().toArray(String[]::new));
      if (value != null && !value.isNull() && !value.isObject() && !value.isArray()) {
        values.put(parameter.header(), value.asText().orElseGet(value::toString));
      }
    }
    return values;
  }

  /**
   * What is wrong with the headers that a client mirrored.
   *
   * @param headers by name without {@code Mcp-Param-}, in lower case, as they came
   * @return null when they say what the arguments say
   */
  @Nullable String mismatch(Json arguments, Map<String, String> headers) {
    Map<String, String> expected = new LinkedHashMap<>();
    values(arguments)
        .forEach((header, value) -> expected.put(header.toLowerCase(Locale.ROOT), value));
    Set<String> known = new HashSet<>();
    parameters.forEach(parameter -> known.add(parameter.header().toLowerCase(Locale.ROOT)));
    for (String header : known) {
      String given = headers.get(header);
      String value = expected.get(header);
      if (given == null && value != null) {
        return "the header Mcp-Param-" + header + " is missing";
      }
      if (given != null && (value == null || !value.equals(decoded(given)))) {
        return "the header Mcp-Param-" + header + " does not say what the arguments say";
      }
    }
    return null;
  }

  /** The value of a header; null where it has characters that it may not have. */
  private static @Nullable String decoded(String header) {
    if (!header.chars().allMatch(c -> (c >= 0x20 && c <= 0x7e) || c == '\t')) {
      return null;
    }
    if (!header.startsWith(ENCODED)
        || !header.endsWith(ENCODED_END)
        || header.length() < ENCODED.length() + ENCODED_END.length()) {
      return header;
    }
    String inner = header.substring(ENCODED.length(), header.length() - ENCODED_END.length());
    if (inner.length() % 4 != 0) {
      // Java's decoder would forgive missing padding.
      return null;
    }
    try {
      return new String(Base64.getDecoder().decode(inner), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static JsonObject members(Json json) {
    return json.asObject().orElse(JsonObject.EMPTY);
  }
}
