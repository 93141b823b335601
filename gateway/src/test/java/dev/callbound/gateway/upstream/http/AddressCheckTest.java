package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.AddressRange;
import dev.callbound.gateway.config.AddressRules;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.testkit.FaultServer;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressCheckTest {
  private static final AddressRules EVERYTHING =
      new AddressRules(List.of(AddressRange.parse("0.0.0.0/0"), AddressRange.parse("::/0")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.0.1",
        "100.100.100.200",
        "fe80::1",
        "fd00:ec2::254",
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1"
      })
  void linkLocalAndMetadataAddressesAreNeverAllowed(String address) {
    assertThat(new AddressCheck(EVERYTHING).allows(InetAddress.ofLiteral(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1", "127.1.2.3", "::1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "100.64.0.1", "fd12::1", "0.0.0.0", "::", "224.0.0.1", "ff02::1", "255.255.255.255",
        "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:0a00:0001::1"
      })
  void addressesThatAreNotPublicMustBeAllowed(String address) {
    InetAddress parsed = InetAddress.ofLiteral(address);
    assertThat(new AddressCheck(AddressRules.PUBLIC_ONLY).allows(parsed)).isFalse();
    assertThat(new AddressCheck(EVERYTHING).allows(parsed)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::101:101"})
  void publicAddressesAreAllowed(String address) {
    assertThat(new AddressCheck(AddressRules.PUBLIC_ONLY).allows(InetAddress.ofLiteral(address)))
        .isTrue();
  }

  @Test
  void anAddressThatIsNotAllowedIsNotConnectedTo() {
    try (FaultServer target = FaultServer.http().start()) {
      for (String host : List.of("127.0.0.1", "localhost", "[::ffff:127.0.0.1]")) {
        RecordingExchange exchange = new RecordingExchange();
        URI url = URI.create("http://" + host + ":" + target.port() + "/mcp");
        try (StreamableHttpServer server = Faults.connect(publicOnly(url))) {
          assertThat(Faults.failure(Faults.call(server, "write_ok", "{}", exchange)))
              .isInstanceOf(Failure.Unsafe.class);
        }
        assertThat(exchange.events()).isEmpty();
      }
      assertThat(target.ledger().events("initialize")).isEmpty();
    }
  }

  private static ServerConfig.Http publicOnly(URI url) {
    return new ServerConfig.Http(
        url, Map.of(), null, AddressRules.PUBLIC_ONLY, Duration.ofSeconds(5), Set.of());
  }
}
