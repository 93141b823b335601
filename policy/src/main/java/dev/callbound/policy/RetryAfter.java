package dev.callbound.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code Retry-After} header field, in both of its forms (RFC 9110 §10.2.3): a number of
 * seconds, or a date (RFC 9110 §5.6.7, in its preferred and its two obsolete forms).
 *
 * <p>Rubbish names no wait, and neither does a time that is not after now: the caller backs off
 * instead, and never in a tight loop.
 */
public final class RetryAfter {
  /** The longest wait that is told apart from a longer one. No call lives that long. */
  private static final Duration LONGEST = Duration.ofDays(3_650);

  /** Clocks that agree this well are taken as one: a Date header has whole seconds only. */
  private static final Duration SAME_CLOCK = Duration.ofSeconds(2);

  private static final List<DateTimeFormatter> DATES =
      List.of(
          pattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'"),
          new DateTimeFormatterBuilder()
              .appendPattern("EEEE, dd-MMM-")
              .appendValueReduced(ChronoField.YEAR, 2, 2, 2000)
              .appendPattern(" HH:mm:ss 'GMT'")
              .toFormatter(Locale.ENGLISH)
              .withZone(ZoneOffset.UTC),
          pattern("EEE MMM ppd HH:mm:ss uuuu"));

  private RetryAfter() {}

  /**
   * The wait that a response names.
   *
   * @param value the header field's value; null when there is none
   * @param date the value of the response's own {@code Date} field, against which a date is measured
   *     when the clocks disagree; null when there is none
   * @param now when the response arrived, by our clock
   * @return more than zero, or empty when the response names no usable wait
   */
  public static Optional<Duration> parse(@Nullable String value, @Nullable String date, Instant now) {
    if (value == null) {
      return Optional.empty();
    }
    String text = value.strip();
    Optional<Duration> wait = isNumber(text) ? Optional.of(seconds(text)) : until(text, date, now);
    return wait.filter(found -> found.isPositive());
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static Duration seconds(String digits) {
    // Ten digits are over three hundred years; more would overflow a long sooner or later.
    if (digits.length() > 10) {
      return digits.chars().allMatch(c -> c == '0') ? Duration.ZERO : LONGEST;
    }
    return shorter(Duration.ofSeconds(Long.parseLong(digits)));
  }

  private static Optional<Duration> until(String text, @Nullable String date, Instant now) {
    return instant(text)
        .map(
            then -> {
              Instant servers = date == null ? now : instant(date.strip()).orElse(now);
              boolean sameClock =
                  Duration.between(servers, now).abs().compareTo(SAME_CLOCK) < 0;
              return shorter(Duration.between(sameClock ? now : servers, then));
            });
  }

  private static Optional<Instant> instant(String text) {
    return DATES.stream().flatMap(form -> read(text, form).stream()).findFirst();
  }

  private static Optional<Instant> read(String text, DateTimeFormatter form) {
    try {
      return Optional.of(form.parse(text, ZonedDateTime::from).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private static Duration shorter(Duration wait) {
    return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }

  private static DateTimeFormatter pattern(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
  }
}
