package dev.callbound.gateway.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times and durations as people read them, in the zone that they live in. */
record Times(ZoneId zone) {
  private static final DateTimeFormatter WHOLE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter SHORT =
      DateTimeFormatter.ofPattern("MMM dd HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter OF_DAY =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter PRECISE =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  /** In the zone of this machine. */
  static Times local() {
    return new Times(ZoneId.systemDefault());
  }

  /** {@code 2026-12-01 20:01:28}. */
  String whole(Instant time) {
    return WHOLE.format(time.atZone(zone));
  }

  /** {@code Dec 01 20:01}: for tables. */
  String brief(Instant time) {
    return SHORT.format(time.atZone(zone));
  }

  /** {@code 20:01:28}, or with its date where that is not the day of the other time. */
  String beside(Instant time, Instant other) {
    return time.atZone(zone).toLocalDate().equals(other.atZone(zone).toLocalDate())
        ? OF_DAY.format(time.atZone(zone))
        : whole(time);
  }

  /** {@code 20:01:28.123}. */
  String precise(Instant time) {
    return PRECISE.format(time.atZone(zone));
  }

  /**
   * {@code 250 ms}, {@code 1.25 s}, {@code 59.9 s}, {@code 3 m 20 s}, {@code 2 h}: two units at
   * most.
   */
  static String length(Duration length) {
    long millis = length.toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      String digits = String.format(Locale.ROOT, millis < 10_000 ? "%.2f" : "%.1f", millis / 1e3);
      return digits.replaceFirst("\\.?0+$", "") + " s";
    }
    long seconds = length.toSeconds();
    if (seconds < 3_600) {
      return two(seconds / 60, "m", seconds % 60, "s");
    }
    long minutes = length.toMinutes();
    return minutes < 24 * 60
        ? two(minutes / 60, "h", minutes % 60, "m")
        : two(length.toDays(), "d", length.toHours() % 24, "h");
  }

  private static String two(long large, String unit, long small, String smallUnit) {
    return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }
}
