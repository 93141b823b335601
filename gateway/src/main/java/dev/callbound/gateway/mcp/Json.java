package dev.callbound.gateway.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One JSON value, held as the bytes it came in: a gateway passes on what it does not understand,
 * and a value that is never re-serialised can't lose a digit, a field or an order.
 *
 * <p>Immutable; the bytes behind it must not be changed. Two values are equal when their bytes are.
 */
public final class Json {
  /** The deepest nesting read: deeper input is refused, not followed. */
  public static final int MAX_DEPTH = 200;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  // The size of a message is bounded where it is read; a string may fill it.
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(1_000)
                  .maxNameLength(50_000)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** The value {@code null}. */
  public static final Json NULL = literal("null");

  /** The value {@code true}. */
  public static final Json TRUE = literal("true");

  /** The value {@code false}. */
  public static final Json FALSE = literal("false");

  private final byte[] bytes;
  private final int from;
  private final int length;

  /** Its members, once somebody has looked; any thread that finds none looks itself. */
  private @Nullable JsonObject members;

  Json(byte[] bytes, int from, int length) {
    this.bytes = bytes;
    this.from = from;
    this.length = length;
  }

  /**
   * Reads one value that fills the bytes, but for white space.
   *
   * @throws MalformedMessageException if it is not JSON (RFC 8259) in UTF-8, repeats a name within
   *     an object, or nests deeper than {@link #MAX_DEPTH}
   */
  public static Json parse(byte[] bytes) throws MalformedMessageException {
    try (JsonParser parser = FACTORY.createParser(bytes)) {
      if (parser.nextToken() == null) {
        throw new MalformedMessageException(RpcError.PARSE_ERROR, "empty where JSON was expected");
      }
      int from = (int) parser.currentTokenLocation().getByteOffset();
      // What is parsed is looked into next: the members are found on the way.
      JsonObject members =
          parser.currentToken() == JsonToken.START_OBJECT
              ? JsonObject.read(parser, new Json(bytes, 0, bytes.length))
              : null;
      parser.skipChildren();
      parser.finishToken();
      int until = (int) parser.currentLocation().getByteOffset();
      if (parser.nextToken() != null) {
        throw new MalformedMessageException(
            RpcError.PARSE_ERROR, "more than one JSON value, at byte " + until);
      }
      Json parsed = new Json(bytes, from, until - from);
      parsed.members = members;
      return parsed;
    } catch (IOException e) {
      throw JsonErrors.of(e);
    }
  }

  /** A string value. */
  public static Json text(String text) {
    byte[] inner = JsonStringEncoder.getInstance().quoteAsUTF8(text);
    byte[] quoted = new byte[inner.length + 2];
    quoted[0] = '"';
    System.arraycopy(inner, 0, quoted, 1, inner.length);
    quoted[quoted.length - 1] = '"';
    return new Json(quoted, 0, quoted.length);
  }

  /** A whole number. */
  public static Json number(long number) {
    return literal(Long.toString(number));
  }

  /** True or false. */
  public static Json bool(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** An array of values. */
  public static Json array(List<Json> values) {
    return JsonObject.join('[', ']', values.stream().map(value -> new Json[] {value}).toList());
  }

  /**
   * A value written by hand in the source, or produced by a writer that is known to write JSON.
   *
   * @throws IllegalArgumentException if it is not JSON
   */
  public static Json of(String json) {
    try {
      return parse(json.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedMessageException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
  }

  /** Whether it is an object. */
  public boolean isObject() {
    return first() == '{';
  }

  /** Whether it is an array. */
  public boolean isArray() {
    return first() == '[';
  }

  /** Whether it is a string. */
  public boolean isText() {
    return first() == '"';
  }

  /** Whether it is a number. */
  public boolean isNumber() {
    return first() == '-' || (first() >= '0' && first() <= '9');
  }

  /** Whether it is {@code null}. */
  public boolean isNull() {
    return first() == 'n';
  }

  /** Whether it is {@code true}. */
  public boolean isTrue() {
    return first() == 't';
  }

  /** The text of a string value; empty when it is another kind of value. */
  public Optional<String> asText() {
    if (!isText()) {
      return Optional.empty();
    }
    try (JsonParser parser = FACTORY.createParser(bytes, from, length)) {
      parser.nextToken();
      return Optional.of(parser.getText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value of a whole number that fits; empty when it is anything else. */
  public OptionalLong asLong() {
    if (!isNumber()) {
      return OptionalLong.empty();
    }
    try (JsonParser parser = FACTORY.createParser(bytes, from, length)) {
      return parser.nextToken() == JsonToken.VALUE_NUMBER_INT
              && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
          ? OptionalLong.of(parser.getLongValue())
          : OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its members; empty when it is not an object. */
  public Optional<JsonObject> asObject() {
    return Optional.ofNullable(members());
  }

  private @Nullable JsonObject members() {
    JsonObject known = members;
    if (known == null && isObject()) {
      known = JsonObject.read(this);
      members = known;
    }
    return known;
  }

  /** Its elements; none when it is not an array. */
  public List<Json> elements() {
    if (!isArray()) {
      return List.of();
    }
    List<Json> elements = new ArrayList<>();
    try (JsonParser parser = parser()) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        elements.add(current(parser));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return elements;
  }

  /** The value at a path of member names; null where there is none. */
  public @Nullable Json at(String... path) {
    Json value = this;
    for (String name : path) {
      JsonObject members = value.members();
      Json member = members == null ? null : members.get(name);
      if (member == null) {
        return null;
      }
      value = member;
    }
    return value;
  }

  /** The text at a path of member names; null where there is none, or no text. */
  public @Nullable String textAt(String... path) {
    Json value = at(path);
    return value == null ? null : value.asText().orElse(null);
  }

  /** The number of bytes. */
  public int length() {
    return length;
  }

  /** A copy of the bytes. */
  public byte[] toBytes() {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  /** Writes the bytes. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, from, length);
  }

  /** A parser of this value, positioned before its first token. */
  public JsonParser parser() throws IOException {
    return FACTORY.createParser(bytes, from, length);
  }

  /** The value that the parser, one of this value's, stands at; moves the parser to its end. */
  Json current(JsonParser parser) throws IOException {
    int start = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    parser.finishToken();
    int end = (int) parser.currentLocation().getByteOffset();
    return new Json(bytes, from + start, end - start);
  }

  void copyTo(byte[] target, int at) {
    System.arraycopy(bytes, from, target, at, length);
  }

  private byte first() {
    return bytes[from];
  }

  private static Json literal(String ascii) {
    byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
    return new Json(bytes, 0, bytes.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Json json
        && Arrays.equals(
            bytes, from, from + length, json.bytes, json.from, json.from + json.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  /** The JSON itself. For wires and tests; a log never shows content. */
  @Override
  public String toString() {
    return new String(bytes, from, length, StandardCharsets.UTF_8);
  }
}
