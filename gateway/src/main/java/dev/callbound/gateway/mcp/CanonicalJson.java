package dev.callbound.gateway.mcp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Map;
import java.util.TreeMap;

/**
 * A JSON value in the one form that all its spellings share (RFC 8785): members sorted, no white
 * space, strings and numbers written in one way. Two values that mean the same have the same text.
 *
 * <p>It goes beyond RFC 8785 where that has no answer. A whole number that a double can't tell from
 * its neighbour, such as an id of 19 digits, keeps its digits, and so does a number beyond a
 * double's range: rounded, two different orders would look like one. A surrogate without its other
 * half is written as an escape.
 */
public final class CanonicalJson {
  /** Exponents between which ECMAScript writes a number without one (RFC 8785 §3.2.2.3). */
  private static final int LEAST_PLAIN = -6;

  private static final int MOST_PLAIN = 21;

  private static final MathContext ONE_DIGIT = new MathContext(1);

  private final StringBuilder out = new StringBuilder();

  private CanonicalJson() {}

  /** The canonical text of a value. */
  public static String of(Json value) {
    CanonicalJson canonical = new CanonicalJson();
    try (JsonParser parser = value.parser()) {
      parser.nextToken();
      canonical.value(parser);
    } catch (IOException e) {
      // A Json was checked when it was read.
      throw new UncheckedIOException(e);
    }
    return canonical.out.toString();
  }

  // The nesting is bounded where the value was read.
  private void value(JsonParser parser) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> text(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.append(number(parser.getText()));
      default -> out.append(parser.getText());
    }
  }

  private void object(JsonParser parser) throws IOException {
    // String's order is that of UTF-16 code units, as RFC 8785 §3.2.3 asks.
    Map<String, String> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      CanonicalJson member = new CanonicalJson();
      member.value(parser);
      members.put(name, member.out.toString());
    }
    out.append('{');
    String separator = "";
    for (Map.Entry<String, String> member : members.entrySet()) {
      out.append(separator);
      text(member.getKey());
      out.append(':').append(member.getValue());
      separator = ",";
    }
    out.append('}');
  }

  private void array(JsonParser parser) throws IOException {
    out.append('[');
    String separator = "";
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      out.append(separator);
      value(parser);
      separator = ",";
    }
    out.append(']');
  }

  private void text(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\t' -> out.append("\\t");
        case '\n' -> out.append("\\n");
        case '\f' -> out.append("\\f");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < ' ' || isLoneSurrogate(text, i)) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isLoneSurrogate(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  private static String number(String digits) {
    BigDecimal exact = new BigDecimal(digits);
    if (exact.signum() == 0) {
      return "0";
    }
    double rounded = exact.doubleValue();
    if (rounded == 0 || Double.isInfinite(rounded)) {
      return layout(exact);
    }
    boolean whole = exact.stripTrailingZeros().scale() <= 0;
    return layout(whole ? exact : shortest(rounded));
  }

  /** The shortest decimal that names the double. Java's has two digits where one would do. */
  private static BigDecimal shortest(double number) {
    BigDecimal named = new BigDecimal(Double.toString(number));
    BigDecimal shorter = named.round(ONE_DIGIT);
    return shorter.doubleValue() == number ? shorter : named;
  }

  /** ECMAScript's layout of a number that is not zero. */
  private static String layout(BigDecimal number) {
    BigDecimal bare = number.stripTrailingZeros();
    String sign = bare.signum() < 0 ? "-" : "";
    BigInteger unscaled = bare.unscaledValue().abs();
    String digits = unscaled.toString();
    // The number is 0.DIGITS times ten to the power of this.
    long point = (long) digits.length() - bare.scale();
    if (point > MOST_PLAIN || point <= LEAST_PLAIN) {
      String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
      long exponent = point - 1;
      return sign
          + digits.charAt(0)
          + fraction
          + "e"
          + (exponent < 0 ? "-" : "+")
          + Math.abs(exponent);
    }
    if (point <= 0) {
      return sign + "0." + "0".repeat((int) -point) + digits;
    }
    return point >= digits.length()
        ? sign + digits + "0".repeat((int) point - digits.length())
        : sign + digits.substring(0, (int) point) + "." + digits.substring((int) point);
  }
}
