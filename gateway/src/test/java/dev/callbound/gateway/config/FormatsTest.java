package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {
  private static final Format<Duration> DURATION =
      Formats.duration(Duration.ZERO, Duration.ofDays(3650));

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "250ms, PT0.25S",
    "30s, PT30S",
    "2m, PT2M",
    "2h, PT2H",
    "1h30m, PT1H30M",
    "30d, PT720H",
    "1d2h3m4s5ms, PT26H3M4.005S",
    "' 5s ', PT5S"
  })
  void durationIsReadWithItsUnits(String text, Duration duration) throws FormatException {
    assertThat(DURATION.parse(text)).isEqualTo(duration);
    assertThat(DURATION.parse(Durations.format(duration))).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "-5s", "5 s", "1.5s", "30m1h", "5S", "1h 30m", "9999999999s", "99999d"})
  void whatIsNotADurationIsRefused(String text) {
    assertThatExceptionOfType(FormatException.class).isThrownBy(() -> DURATION.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "8MiB, 8388608",
    "512KiB, 524288",
    "1GiB, 1073741824",
    "1073741824, 1073741824"
  })
  void sizeIsReadInBytes(String text, int bytes) throws FormatException {
    assertThat(Formats.size().parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "8MB", "8 MiB", "8mib", "2GiB", "9999999999GiB", "1.5MiB"})
  void whatIsNotASizeIsRefused(String text) {
    assertThatExceptionOfType(FormatException.class).isThrownBy(() -> Formats.size().parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mcp.example",
        "/mcp",
        "ftp://a/",
        "https://",
        "https://user:pass@a.example/",
        "https://a.example/#x",
        "https://a.example:99999/",
        "https://a b/"
      })
  void whatIsNotAnEndpointIsRefused(String text) {
    assertThatExceptionOfType(FormatException.class).isThrownBy(() -> Formats.URL.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "deadlin, deadline",
    "callDeadline, call_deadline",
    "call-deadline, call_deadline",
    "timeout, deadline",
    "retries, attempts",
    "header, headers"
  })
  void nearestKeyIsFound(String written, String meant) {
    assertThat(Nearest.to(written, Keys.Server.SECTION.names())).isEqualTo(meant);
  }
}
