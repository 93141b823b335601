package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 250ms}, {@code 30s}, {@code 1h30m}, {@code 30d}, {@code
 * 0}.
 */
public final class Durations {
  static final Duration MONTH = Duration.ofDays(30);

  /** The form, for the schema. A number alone is only ever 0. */
  static final String PATTERN =
      "^(0|(?=\\d)(\\d{1,9}d)?(\\d{1,9}h)?(\\d{1,9}m)?(\\d{1,9}s)?(\\d{1,9}ms)?)$";

  private static final Pattern FORM =
      Pattern.compile(
          "(?=\\d)(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

  private Durations() {}

  static Duration parse(String text, Duration least, Duration most) throws FormatException {
    Duration duration = parse(text.strip());
    if (duration.compareTo(least) < 0) {
      throw new FormatException("is too short", "write at least " + format(least));
    }
    if (duration.compareTo(most) > 0) {
      throw new FormatException("is too long", "write at most " + format(most));
    }
    return duration;
  }

  private static Duration parse(String text) throws FormatException {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    if (!text.isEmpty() && text.chars().allMatch(Character::isDigit)) {
      throw new FormatException(
          "has no unit", "write " + text + "s for seconds, or use ms, m, h, d");
    }
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new FormatException("is not a duration", "write one such as 250ms, 30s, 5m or 1h30m");
    }
    return Duration.ofDays(part(matcher, 1))
        .plusHours(part(matcher, 2))
        .plusMinutes(part(matcher, 3))
        .plusSeconds(part(matcher, 4))
        .plusMillis(part(matcher, 5));
  }

  private static long part(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** The duration as the file would write it. */
  public static String format(Duration duration) {
    if (duration.isZero()) {
      return "0";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toDays(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount > 0) {
      text.append(amount).append(unit);
    }
  }
}
