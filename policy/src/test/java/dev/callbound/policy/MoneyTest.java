package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MoneyTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0.00",
    "0.25, 250000, 0.25",
    "3, 3000000, 3.00",
    "0.1, 100000, 0.10",
    "0.000001, 1, 0.000001",
    "1000000000, 1000000000000000, 1000000000.00"
  })
  void isReadExactlyAndWrittenWithTwoDecimalsAtLeast(String text, long millionths, String written) {
    assertThat(Money.parse(text)).isEqualTo(new Money(millionths)).hasToString(written);
    assertThat(Money.parse(written)).isEqualTo(new Money(millionths));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "+1", "1e3", ".5", "1.", "0.0000001", "1,5", "$1", "1000000000.000001"})
  void whatIsNoAmountIsRefused(String text) {
    assertThatThrownBy(() -> Money.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsLeftIsNeverNegative() {
    assertThat(Money.parse("0.10").less(Money.parse("0.25"))).isEqualTo(Money.ZERO);
    assertThat(Money.parse("0.25").less(Money.parse("0.10"))).isEqualTo(Money.parse("0.15"));
  }
}
