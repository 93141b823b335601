package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Supplier;

/**
 * A tool as clients see it, and what a call of it does.
 *
 * @param properties the schemas of its own arguments
 * @param required the names of the arguments it insists on, at this moment
 * @param ignoresCancel whether it goes on when told to stop, whatever its arguments say
 */
record Tool(
    String name,
    Hints hints,
    String description,
    ObjectNode properties,
    Plan plan,
    Supplier<List<String>> required,
    boolean ignoresCancel) {

  /** The steps of the nth call, counted from 1 within its scope. */
  interface Plan {
    List<Step> steps(ToolArguments arguments, int nth);
  }

  /** What a tool's annotations claim. */
  enum Hints {
    READ,
    WRITE,
    UPSERT,
    DESTRUCTIVE,
    DELETE;

    ObjectNode json(String title) {
      boolean write = this != READ;
      ObjectNode json = object("title", title, "readOnlyHint", !write, "openWorldHint", write);
      if (write) {
        json.put("destructiveHint", this == DESTRUCTIVE || this == DELETE);
        json.put("idempotentHint", this == UPSERT || this == DELETE);
      }
      return json;
    }
  }

  Tool(String name, Hints hints, String description, ObjectNode properties, Plan plan) {
    this(name, hints, description, properties, plan, List::of, false);
  }

  /** The tool in the form of {@code tools/list}. */
  ObjectNode json() {
    ObjectNode schemas = properties.deepCopy();
    List<String> needed = required.get();
    needed.forEach(argument -> schemas.set(argument, Schema.text()));
    schemas.setAll(Schema.common());
    return object(
        "name",
        name,
        "description",
        description,
        "annotations",
        hints.json(name),
        "inputSchema",
        object("type", "object", "properties", schemas, "required", needed));
  }
}
