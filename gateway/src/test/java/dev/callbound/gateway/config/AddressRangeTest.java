package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "172.16.0.0/12, 172.31.9.9, true",
    "172.16.0.0/12, 172.32.0.0, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "192.168.1.7, 192.168.1.7, true",
    "192.168.1.7, 192.168.1.6, false",
    "fe80::/10, febf::1, true",
    "fe80::/10, fec0::1, false",
    "::/0, ::1, true",
    "::1, 127.0.0.1, false",
    "127.0.0.0/8, ::ffff:127.0.0.1, true"
  })
  void rangeContainsWhatSharesItsLeadingBits(String range, String address, boolean contained) {
    assertThat(AddressRange.parse(range).contains(InetAddress.ofLiteral(address)))
        .isEqualTo(contained);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "host", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/x", "/8"})
  void whatIsNotARangeIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> AddressRange.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "169.254.169.254, true",
    "169.254.0.0/16, true",
    "fe80::1, true",
    "fd00:ec2::254, true",
    "100.100.100.200, true",
    // Wider than what is forbidden: allowed, though what is forbidden in it stays so.
    "100.64.0.0/10, false",
    "169.0.0.0/8, false",
    "::ffff:169.254.169.254, true"
  })
  void onlyARangeThatIsForbiddenAsAWholeIsRefused(String range, boolean forbidden) {
    assertThat(AddressRules.isForbidden(AddressRange.parse(range))).isEqualTo(forbidden);
  }

  @Test
  void rangeIsPrintedAsItIsWritten() {
    assertThat(AddressRange.parse("10.0.0.0/8")).hasToString("10.0.0.0/8");
  }
}
