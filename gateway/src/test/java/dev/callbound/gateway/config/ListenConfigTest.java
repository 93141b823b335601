package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenConfigTest {
  private static final ListenConfig LISTEN =
      new ListenConfig(
          ListenAddress.parse("127.0.0.1:7420"),
          List.of("http://localhost", "https://app.example:8443"),
          List.of("localhost", "[::1]", "gateway.example:80"),
          1 << 20,
          1 << 15,
          10,
          10,
          Duration.ZERO,
          List.of());

  @Test
  void addressThatOthersCanReachNeedsTokens() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LISTEN.at(ListenAddress.parse("0.0.0.0:7420")))
        .withMessage(
            "0.0.0.0:7420 is not a loopback address, and no tokens are set; listen on 127.0.0.1, or"
                + " give each client a token under listen.tokens");
    assertThat(LISTEN.at(ListenAddress.parse("[::1]:0")).address())
        .isEqualTo(new ListenAddress("::1", 0));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, true",
    "LOCALHOST:7420, true",
    "[::1]:9, true",
    "gateway.example:80, true",
    "gateway.example:81, false",
    "gateway.example, false",
    "localhost.evil.example, false",
    "evil.example:7420, false",
    "'', false"
  })
  void hostWithoutAPortStandsForAllPorts(String host, boolean allowed) {
    assertThat(LISTEN.allowsHost(host)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:3000, true",
    "https://localhost:3000, false",
    "https://app.example:8443, true",
    "https://app.example, false",
    "'null', false"
  })
  void originIsComparedWithItsScheme(String origin, boolean allowed) {
    assertThat(LISTEN.allowsOrigin(origin)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:1, true",
    "127.9.9.9:1, true",
    "[::1]:1, true",
    "localhost:1, true",
    "0.0.0.0:1, false",
    "[::]:1, false",
    "192.168.1.1:1, false",
    "somewhere:1, false"
  })
  void onlyLoopbackIsLoopback(String address, boolean loopback) {
    ListenAddress parsed = ListenAddress.parse(address);

    assertThat(parsed.isLoopback()).isEqualTo(loopback);
    assertThat(parsed).hasToString(address);
  }

  @ParameterizedTest
  @CsvSource({"7420", "host", "host:", "host:70000", "::1:80", "a b:1", "''"})
  void whatIsNotHostAndPortIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ListenAddress.parse(text));
  }
}
