package dev.callbound.gateway.upstream.stdio;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whose answer a line is that was too long to be kept: told by its begin, or by its end where the
 * id comes after the result. Pure.
 */
sealed interface OverlongAnswer {
  /** It answers the request of this id, as text. */
  record To(String id) implements OverlongAnswer {}

  /** It is a request, a notification, or no JSON object. */
  record ToNobody() implements OverlongAnswer {}

  /** What was kept of it does not tell. */
  record Unclear() implements OverlongAnswer {}

  /**
   * An id as one of the last members of the outermost object: only there does a single brace stand
   * between it and the end of the line. Inside a string its quotes would be escaped.
   */
  Pattern LAST_ID =
      Pattern.compile(
          "[,{]\\s*\"id\"\\s*:\\s*(?:\"([^\"\\\\]{0,99})\"|(\\d{1,19}))\\s*"
              + "(?:,\\s*\"jsonrpc\"\\s*:\\s*\"2\\.0\"\\s*)?\\}\\s*\\z");

  /** Finds out. */
  static OverlongAnswer of(LineReader.Overlong line) {
    OverlongAnswer byBegin = byBegin(line.begin());
    return byBegin instanceof Unclear && line.ended() ? byEnd(line.end()) : byBegin;
  }

  private static OverlongAnswer byBegin(String begin) {
    String id = null;
    try (JsonParser parser = new JsonFactory().createParser(begin)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return new ToNobody();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (name.equals("method") || name.equals("params")) {
          return new ToNobody();
        }
        if ((name.equals("result") || name.equals("error")) && id != null) {
          return new To(id);
        }
        JsonToken value = parser.nextToken();
        if (name.equals("id") && value != null && value.isScalarValue()) {
          id = parser.getText();
        }
        parser.skipChildren();
      }
    } catch (IOException _) {
      // The begin of a line breaks off somewhere; what is no JSON at all breaks off at once.
      if (!begin.stripLeading().startsWith("{")) {
        return new ToNobody();
      }
    }
    return id == null ? new Unclear() : new To(id);
  }

  private static OverlongAnswer byEnd(String end) {
    Matcher id = LAST_ID.matcher(end);
    if (!id.find()) {
      return new Unclear();
    }
    return new To(id.group(1) != null ? id.group(1) : id.group(2));
  }
}
