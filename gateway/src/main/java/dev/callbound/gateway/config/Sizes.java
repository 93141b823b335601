package dev.callbound.gateway.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 8MiB}, {@code 512KiB}, or bytes alone. */
final class Sizes {
  /** The form, for the schema. */
  static final String PATTERN = "^[1-9]\\d{0,9}(KiB|MiB|GiB)?$";

  private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,9})(KiB|MiB|GiB)?");

  /** What a Java array can surely hold, and more than anybody should send. */
  private static final long MOST = 1L << 30;

  private Sizes() {}

  static int parse(String text) throws FormatException {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new FormatException(
          "is not a size", "write one such as 512KiB or 8MiB, or bytes alone");
    }
    String unit = matcher.group(2);
    int shift =
        switch (unit == null ? "" : unit) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 0;
        };
    long amount = Long.parseLong(matcher.group(1));
    // Compared before the shift, which could overflow.
    if (amount > MOST >> shift) {
      throw new FormatException("is too large", "write at most 1GiB");
    }
    return (int) (amount << shift);
  }
}
