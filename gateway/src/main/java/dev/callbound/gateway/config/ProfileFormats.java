package dev.callbound.gateway.config;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The formats that only profiles use. */
final class ProfileFormats {
  static final Format<Pattern> PATTERN =
      new Format<>(
          "a regular expression",
          Map.of("type", "string", "minLength", 1),
          ProfileFormats::pattern);

  static final Format<LocalDate> DATE =
      new Format<>(
          "a date",
          Map.of("type", "string", "pattern", "^\\d{4}-\\d\\d-\\d\\d$"),
          ProfileFormats::date);

  private ProfileFormats() {}

  private static Pattern pattern(String text) throws FormatException {
    if (text.isEmpty()) {
      throw new FormatException("is empty", "write a regular expression");
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException syntax) {
      throw new FormatException(
          "is not a regular expression (" + syntax.getDescription() + ")",
          "write one as Java knows it, in single quotes");
    }
  }

  private static LocalDate date(String text) throws FormatException {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException notADate) {
      throw new FormatException("is not a date", "write one such as 2026-12-01");
    }
  }
}
