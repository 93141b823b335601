package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00.400Z");
  private static final String DATE = "Tue, 01 Dec 2026 10:00:00 GMT";

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", " 3600 , 3600", "007, 7", "'\t5 ', 5"})
  void secondsAreKeptExactly(String value, long seconds) {
    assertThat(RetryAfter.parse(value, DATE, NOW)).contains(Duration.ofSeconds(seconds));
    assertThat(RetryAfter.parse(value, null, NOW)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Tue, 01 Dec 2026 10:00:03 GMT",
        "Tuesday, 01-Dec-26 10:00:03 GMT",
        "Tue Dec  1 10:00:03 2026"
      })
  void allThreeFormsOfADateAreRead(String value) {
    assertThat(RetryAfter.parse(value, DATE, NOW)).contains(Duration.ofMillis(2_600));
  }

  @Test
  void aDayOfTwoDigitsIsReadInTheOldestFormToo() {
    assertThat(RetryAfter.parse("Thu Dec 10 10:00:00 2026", DATE, NOW))
        .contains(Duration.ofDays(9).minusMillis(400));
  }

  @ParameterizedTest
  @ValueSource(longs = {-3600, -60, -2, -1, 1, 2, 60, 3600})
  void aDateIsMeasuredAgainstTheResponsesOwnClock(long skewSeconds) {
    assertThat(
            RetryAfter.parse("Tue, 01 Dec 2026 10:00:03 GMT", DATE, NOW.plusSeconds(skewSeconds)))
        .contains(Duration.ofMillis(2_500));
  }

  @Test
  void withinTheSameSecondOurClockTellsTheRestOfIt() {
    assertThat(RetryAfter.parse("Tue, 01 Dec 2026 10:00:03 GMT", DATE, NOW))
        .contains(Duration.ofMillis(2_600));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "0", "Tue, 01 Dec 2026"})
  void withoutAReadableDateOurOwnClockCounts(String date) {
    String value = "Tue, 01 Dec 2026 10:00:03 GMT";
    assertThat(RetryAfter.parse(value, date, NOW)).contains(Duration.ofMillis(2_600));
    assertThat(RetryAfter.parse(value, null, NOW)).contains(Duration.ofMillis(2_600));
  }

  @Test
  void aDayBelowTenMayHaveOneDigit() {
    assertThat(RetryAfter.parse("Tue, 1 Dec 2026 10:00:03 GMT", DATE, NOW))
        .isEqualTo(RetryAfter.parse("Tue, 01 Dec 2026 10:00:03 GMT", DATE, NOW))
        .isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // From the field.
        "soon",
        "-5",
        "0",
        "1000abc",
        "Mon, 99 Foo 2026",
        "",
        // And what else people send.
        " ",
        "00000000000000000000000",
        "+5",
        "1.5",
        "1e3",
        "0x10",
        "5s",
        "5, 5",
        "\u0665",
        "null",
        "NaN",
        "Infinity",
        "120 seconds",
        "2026-12-01T10:00:03Z",
        "Tue, 01 Dec 2026 10:00:03",
        "Tue, 01 Dec 2026 10:00:03 CET",
        "Wed, 01 Dec 2026 10:00:03 GMT",
        "Tue, 31 Feb 2026 10:00:03 GMT",
        "Tue, 01 Dec 2026 25:00:03 GMT",
        "Tue, 01 Dec 2026 10:00:03 GMT, 5"
      })
  void rubbishNamesNoWait(String value) {
    assertThat(RetryAfter.parse(value, DATE, NOW)).isEmpty();
    assertThat(RetryAfter.parse(value, null, NOW)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Tue, 01 Dec 2026 10:00:00 GMT",
        "Tue, 01 Dec 2026 09:59:59 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void aDateThatIsNotAfterNowNamesNoWait(String value) {
    assertThat(RetryAfter.parse(value, DATE, NOW)).isEmpty();
  }

  @Test
  void twoDigitsOfAYearAreNeverMoreThanFiftyYearsAhead() {
    // The first of December 2027 is a Wednesday, that of 1977 a Thursday.
    assertThat(RetryAfter.parse("Wednesday, 01-Dec-27 10:00:00 GMT", DATE, NOW))
        .contains(Duration.ofDays(365).minusMillis(400));
    assertThat(RetryAfter.parse("Thursday, 01-Dec-77 10:00:00 GMT", DATE, NOW)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "315360001",
        "9999999999",
        "99999999999999999999999999999999999999",
        "9223372036854775807",
        "9223372036854775808",
        "Fri, 31 Dec 9999 23:59:59 GMT"
      })
  void aWaitBeyondTenYearsIsTenYears(String value) {
    assertThat(RetryAfter.parse(value, DATE, NOW)).contains(Duration.ofDays(3_650));
  }

  @Test
  void aHeaderThatIsNotThereNamesNoWait() {
    @Nullable String none = null;
    assertThat(RetryAfter.parse(none, DATE, NOW)).isEmpty();
  }

  @Test
  void aHugeHeaderIsReadInNoTime() {
    assertThat(RetryAfter.parse("9".repeat(1_000_000), DATE, NOW)).isPresent();
    assertThat(RetryAfter.parse("x".repeat(1_000_000), DATE, NOW)).isEmpty();
  }
}
