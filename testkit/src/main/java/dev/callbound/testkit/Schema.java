package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The few JSON Schemas that the tools' arguments need. */
final class Schema {
  private Schema() {}

  static ObjectNode text() {
    return object("type", "string");
  }

  static ObjectNode integer() {
    return object("type", "integer");
  }

  static ObjectNode flag() {
    return object("type", "boolean");
  }

  static ObjectNode anything() {
    return object();
  }

  static ObjectNode oneOf(String... values) {
    return object("enum", List.of(values));
  }

  /** The arguments that every tool takes. */
  static ObjectNode common() {
    return object(
        "marker", text(),
        "times", integer(),
        "scope", text(),
        "reply", oneOf("json", "sse"),
        "honor_cancel", flag());
  }
}
