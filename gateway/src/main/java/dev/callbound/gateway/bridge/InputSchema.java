package dev.callbound.gateway.bridge;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a tool takes: its input schema, in JSON Schema 2020-12 unless it says otherwise (MCP
 * 2025-11-25, tools). A remote {@code $ref} is never fetched. Immutable.
 */
final class InputSchema {
  private static final System.Logger LOG = System.getLogger(InputSchema.class.getName());
  private static final int LARGEST = 512 << 10;
  private static final int MOST_ERRORS = 5;

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(Json.MAX_DEPTH)
                      .maxStringLength(Integer.MAX_VALUE)
                      .build())
              .build());

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder -> builder.schemaLoader(loader -> loader.fetchRemoteResources(false)));

  private final @Nullable Schema schema;
  private final MirroredParameters mirrored;

  private InputSchema(@Nullable Schema schema, MirroredParameters mirrored) {
    this.schema = schema;
    this.mirrored = mirrored;
  }

  /**
   * The schema of a tool as its server lists it. One that can't be used lets everything through.
   */
  static InputSchema of(Json tool) {
    Json written = tool.at("inputSchema");
    if (written == null || !written.isObject() || written.length() > LARGEST) {
      return new InputSchema(null, MirroredParameters.of(JsonObject.EMPTY.toJson()));
    }
    MirroredParameters mirrored = MirroredParameters.of(written);
    try {
      return new InputSchema(REGISTRY.getSchema(tree(written)), mirrored);
    } catch (IOException | RuntimeException e) {
      // The server's mistake; the server will say itself what it makes of the arguments.
      LOG.log(
          System.Logger.Level.WARNING,
          "tool={0} schema=unusable: arguments are not checked",
          tool.textAt("name"));
      return new InputSchema(null, mirrored);
    }
  }

  /**
   * What is wrong with the arguments.
   *
   * @return one sentence for people; null when nothing is
   */
  @Nullable String complaint(Json arguments) {
    if (schema == null) {
      return null;
    }
    try {
      JsonNode tree = tree(arguments);
      List<Error> errors = schema.validate(tree);
      // Many clients write null for what they leave out, and servers take it so.
      if (!errors.isEmpty() && withoutNulls(tree) && schema.validate(tree).isEmpty()) {
        return null;
      }
      return errors.isEmpty() || !isSound(schema.getSchemaNode()) ? null : said(errors);
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "arguments=unchecked {0}", e.getClass().getName());
      return null;
    }
  }

  /**
   * Whether a schema is one. Many a server writes types that JSON Schema does not know, such as
   * float, and takes what such a schema refuses. Asked only where arguments do not fit: to check
   * every schema that is listed costs more than all calls.
   */
  private static boolean isSound(JsonNode written) {
    String dialect =
        written.path("$schema").asText(SpecificationVersion.DRAFT_2020_12.getDialectId());
    return REGISTRY.getSchema(SchemaLocation.of(dialect)).validate(written).isEmpty();
  }

  private static String said(List<Error> errors) {
    return errors.stream()
        .limit(MOST_ERRORS)
        .map(InputSchema::said)
        .collect(Collectors.joining("; "));
  }

  /** With the place, unless that is the arguments as a whole. */
  private static String said(Error error) {
    String place = error.getInstanceLocation().toString();
    return place.isEmpty() ? error.getMessage() : place + ": " + error.getMessage();
  }

  /** Takes out the members that are null; returns whether there were any. */
  private static boolean withoutNulls(JsonNode tree) {
    int before = tree.size();
    if (tree instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
    }
    boolean any = tree.size() < before;
    for (JsonNode child : tree) {
      any |= withoutNulls(child);
    }
    return any;
  }

  /** The arguments that the schema asks to be mirrored into headers. */
  MirroredParameters mirrored() {
    return mirrored;
  }

  private static JsonNode tree(Json json) throws IOException {
    try (JsonParser parser = MAPPER.getFactory().createParser(json.toBytes())) {
      return MAPPER.readTree(parser);
    }
  }
}
