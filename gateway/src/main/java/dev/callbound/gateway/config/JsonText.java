package dev.callbound.gateway.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes a part of a file as the JSON that it means. */
final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  /** RFC 8259, 6. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

  private final MappingReader.Texts texts;
  private boolean wrong;

  private JsonText(MappingReader.Texts texts) {
    this.texts = texts;
  }

  /**
   * The mapping as a JSON object.
   *
   * @param path its place, for errors
   * @param texts reads a text of it, and reports what is wrong
   * @return null if something in it is wrong, which is reported
   */
  static @Nullable String of(Node.Mapping mapping, String path, MappingReader.Texts texts) {
    StringWriter out = new StringWriter();
    JsonText writer = new JsonText(texts);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      writer.write(mapping, path, json);
    } catch (IOException impossible) {
      throw new IllegalStateException("writing to memory failed", impossible);
    }
    return writer.wrong ? null : out.toString();
  }

  private void write(Node node, String path, JsonGenerator json) throws IOException {
    switch (node) {
      case Node.Mapping(_, Map<String, Node.Entry> entries) -> {
        json.writeStartObject();
        for (var entry : entries.entrySet()) {
          json.writeFieldName(entry.getKey());
          write(entry.getValue().value(), path + "." + entry.getKey(), json);
        }
        json.writeEndObject();
      }
      case Node.Sequence(_, var items) -> {
        json.writeStartArray();
        for (int i = 0; i < items.size(); i++) {
          write(items.get(i), path + "[" + i + "]", json);
        }
        json.writeEndArray();
      }
      case Node.Scalar scalar -> scalar(scalar, path, json);
    }
  }

  private void scalar(Node.Scalar scalar, String path, JsonGenerator json) throws IOException {
    String text = scalar.text();
    if (text == null) {
      json.writeNull();
    } else if (!scalar.literal()) {
      String read = texts.read(scalar, path);
      wrong |= read == null;
      json.writeString(read);
    } else if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      json.writeBoolean(Boolean.parseBoolean(text.toLowerCase(Locale.ROOT)));
    } else if (NUMBER.matcher(text).matches() && Double.isFinite(Double.parseDouble(text))) {
      json.writeRawValue(text);
    } else {
      wrong = true;
      texts.problem(
          scalar, path, "'" + text + "' is not a number in JSON", "write its digits, or quote it");
      json.writeNull();
    }
  }
}
