package dev.callbound.gateway.config;

import java.util.Map;

/**
 * How a value is written in the file.
 *
 * @param name what it is, as the docs call it
 * @param schema the JSON Schema of the text, without variables
 */
record Format<T>(String name, Map<String, Object> schema, Parser<T> parser) {
  Format {
    schema = Map.copyOf(schema);
  }

  T parse(String text) throws FormatException {
    return parser.parse(text);
  }

  /** Reads a text whose variables are already expanded. */
  @FunctionalInterface
  interface Parser<T> {
    T parse(String text) throws FormatException;
  }
}
