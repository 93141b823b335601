package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputSchemaTest {
  private static final String SCHEMA =
      """
      {"type": "object", "required": ["title"], "properties": {
        "title": {"type": "string"},
        "labels": {"type": "array", "items": {"type": "string"}}}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                              | required property 'title' not found",
        "{'title': 7}                    | /title: integer found, string expected",
        "{'title': 'a', 'labels': [1]}   | /labels/0: integer found, string expected",
        "{'title': 7, 'labels': 'x'}     | /title: integer found, string expected; /labels: string"
            + " found, array expected"
      })
  void whatIsWrongIsSaidWithItsPlace(String arguments, String complaint) {
    assertThat(complaint(SCHEMA, arguments.replace('\'', '"'))).isEqualTo(complaint);
  }

  @Test
  void theDialectIsTheOneThatTheSchemaNames() {
    String draft07 =
        """
        {"$schema": "http://json-schema.org/draft-07/schema#",
         "definitions": {"word": {"type": "string"}},
         "properties": {"title": {"$ref": "#/definitions/word"}}}
        """;

    assertThat(complaint(draft07, "{\"title\": 7}"))
        .isEqualTo("/title: integer found, string expected");
  }

  /** Many clients write null for what they leave out. */
  @Test
  void aNullStandsForWhatIsLeftOut() {
    assertThat(complaint(SCHEMA, "{\"title\": \"a\", \"labels\": null}")).isNull();
    assertThat(complaint(SCHEMA, "{\"title\": null}")).contains("title");
  }

  /** The server's mistake, of which the server will say itself what it makes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\": 7}",
        "{\"properties\": {\"anything\": {\"type\": \"float\"}}}",
        "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"required\": \"title\"}",
        "{\"$ref\": \"http://127.0.0.1:1/schema.json\"}",
        "{\"$ref\": \"#/$defs/missing\"}",
        "[]",
        "\"text\""
      })
  void aSchemaThatIsOfNoUseLetsEverythingThrough(String schema) {
    assertThat(complaint(schema, "{\"anything\": 1}")).isNull();
  }

  @Test
  void noMoreThanFiveMistakesAreListed() {
    String items =
        """
        {"type": "object", "properties": {"labels": {"type": "array", "items": {"type": "string"}}}}
        """;

    assertThat(complaint(items, "{\"labels\": [1, 2, 3, 4, 5, 6, 7]}").split("; ")).hasSize(5);
  }

  private static @Nullable String complaint(String schema, String arguments) {
    return InputSchema.of(Json.of("{\"name\": \"t\", \"inputSchema\": " + schema + "}"))
        .complaint(Json.of(arguments));
  }
}
