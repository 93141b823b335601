package dev.callbound.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
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

  /** Common formatters, Java's own among them, write a day below ten with one digit: read too. */
  private static final DateTimeFormatter PREFERRED = utc("EEE, d MMM uuuu HH:mm:ss 'GMT'");

  private static final DateTimeFormatter ASCTIME = utc("EEE MMM ppd HH:mm:ss uuuu");

  private RetryAfter() {}

  /**
   * The wait that a response names.
   *
   * <p>A date is measured against the response's own {@code Date}, so that it does not matter
   * whether the server's clock agrees with ours. That field has whole seconds, rounded down: the
   * wait may be up to a second too long, and is at most half a second too short.
   *
   * @param value the header field's value; null when there is none
   * @param date the value of the response's {@code Date} field; null when there is none
   * @param now when the response arrived, by our clock; counts where there is no readable {@code
   *     Date}
   * @return more than zero and at most ten years, or empty when the response names no usable wait
   */
  public static Optional<Duration> parse(
      @Nullable String value, @Nullable String date, Instant now) {
    if (value == null) {
      return Optional.empty();
    }
    String text = value.strip();
    Optional<Duration> wait = isNumber(text) ? Optional.of(seconds(text)) : until(text, date, now);
    return wait.filter(Duration::isPositive)
        .map(found -> found.compareTo(LONGEST) < 0 ? found : LONGEST);
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static Duration seconds(String digits) {
    try {
      return Duration.ofSeconds(Long.parseLong(digits));
    } catch (NumberFormatException _) {
      // More digits than a long holds.
      return LONGEST;
    }
  }

  private static Optional<Duration> until(String text, @Nullable String date, Instant now) {
    Instant begin =
        date == null
            ? now
            : instant(date.strip(), now).map(theirs -> begin(theirs, now)).orElse(now);
    return instant(text, now).map(then -> Duration.between(begin, then));
  }

  /**
   * When the response was made, by its own clock. A Date has whole seconds, cut off: where our
   * clock reads the same second it tells the rest, else half a second is taken for it.
   */
  private static Instant begin(Instant date, Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).equals(date) ? now : date.plusMillis(500);
  }

  private static Optional<Instant> instant(String text, Instant now) {
    return Stream.of(PREFERRED, ASCTIME, rfc850(now))
        .flatMap(form -> read(text, form).stream())
        .findFirst();
  }

  private static Optional<Instant> read(String text, DateTimeFormatter form) {
    try {
      return Optional.of(form.parse(text, Instant::from));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /**
   * The form with a two-digit year, which is never more than 50 years in the future (RFC 9110
   * §5.6.7).
   */
  private static DateTimeFormatter rfc850(Instant now) {
    LocalDate earliest = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(49);
    return finish(
        new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, earliest)
            .appendPattern(" HH:mm:ss 'GMT'"));
  }

  private static DateTimeFormatter utc(String pattern) {
    return finish(new DateTimeFormatterBuilder().appendPattern(pattern));
  }

  private static DateTimeFormatter finish(DateTimeFormatterBuilder builder) {
    return builder
        .toFormatter(Locale.ENGLISH)
        .withZone(ZoneOffset.UTC)
        .withResolverStyle(ResolverStyle.STRICT);
  }
}
