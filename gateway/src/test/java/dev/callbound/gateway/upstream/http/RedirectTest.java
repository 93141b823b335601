package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.testkit.FaultServer;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class RedirectTest {
  private Faults faults;

  @BeforeEach
  void start() throws Exception {
    faults = Faults.start();
    faults.ok("read_ok", "{}");
  }

  @AfterEach
  void stop() {
    faults.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {307, 308})
  void aRedirectWithinTheOriginIsFollowedWithMethodAndBody(int status) throws Exception {
    redirects(1, status, "/mcp?slash");
    RecordingExchange exchange = new RecordingExchange();
    Faults.ok(faults.call("write_ok", "{\"marker\":\"r\"}", exchange));
    assertThat(exchange.events()).startsWith("sent", "not taken", "sent");
    assertThat(faults.ledger().effectsMarked("r")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "301, /mcp?slash",
    "302, /mcp?slash",
    "303, /mcp?slash",
    "307, http://169.254.169.254/",
    "307, file:///etc/passwd",
    "307, https://127.0.0.1/mcp",
    "307, //elsewhere.example/mcp",
    "308, ''",
  })
  void anyOtherRedirectIsRefused(int status, String location) throws Exception {
    redirects(1, status, location.isEmpty() ? "http://:::" : location);
    RecordingExchange exchange = new RecordingExchange();
    assertThat(Faults.failure(faults.call("write_ok", "{\"marker\":\"r\"}", exchange)))
        .isInstanceOf(Failure.Unsafe.class);
    assertThat(exchange.events()).containsExactly("sent", "not taken");
    assertThat(faults.ledger().effectsMarked("r")).isEmpty();
    faults.ok("read_ok", "{}");
  }

  @Test
  void anotherPortIsAnotherOrigin() throws Exception {
    try (FaultServer other = FaultServer.http().start()) {
      redirects(1, 307, other.url().toString());
      assertThat(faults.failure("write_ok", "{}")).isInstanceOf(Failure.Unsafe.class);
      assertThat(other.ledger().calls()).isEmpty();
      assertThat(other.ledger().events("session_refused")).isEmpty();
    }
  }

  @Test
  void aLoopEnds() throws Exception {
    redirects(-1, 307, "/mcp");
    assertThat(faults.failure("write_ok", "{\"marker\":\"r\"}")).isInstanceOf(Failure.Unsafe.class);
    assertThat(faults.ledger().callsMarked("r")).hasSize(Sender.MAX_REDIRECTS + 1);
    assertThat(faults.ledger().effects()).isEmpty();
  }

  @Test
  void theOriginIsSchemeHostAndPort() {
    URI from = URI.create("https://Example.com/mcp");
    assertThat(Redirect.of(from, 307, "https://example.com:443/mcp/"))
        .isEqualTo(new Redirect.Follow(URI.create("https://example.com:443/mcp/")));
    assertThat(Redirect.of(from, 307, "mcp/"))
        .isEqualTo(new Redirect.Follow(URI.create("https://Example.com/mcp/")));
    assertThat(Redirect.of(from, 307, "http://example.com/mcp"))
        .isInstanceOf(Redirect.Refuse.class);
    assertThat(Redirect.of(from, 307, "https://user@example.com/mcp"))
        .isInstanceOf(Redirect.Refuse.class);
    assertThat(Redirect.of(from, 307, null)).isInstanceOf(Redirect.Refuse.class);
  }

  @ParameterizedTest
  @CsvSource({"'', /mcp?a=1", "?b=2, /mcp?b=2", "#x, /mcp?a=1", "/, /", "./, /", "slash/, /slash/"})
  void aPlaceIsReadAsTheStandardSays(String location, String target) {
    URI from = URI.create("http://127.0.0.1:9/mcp?a=1");

    assertThat(Redirect.of(from, 308, location))
        .isEqualTo(new Redirect.Follow(URI.create("http://127.0.0.1:9" + target)));
  }

  private void redirects(int times, int status, String location) throws Exception {
    faults.control(
        "{\"faults\":[{\"match\":\"tools/call:write_ok\",\"times\":"
            + times
            + ",\"steps\":[{\"do\":\"redirect\",\"status\":"
            + status
            + ",\"location\":\""
            + location
            + "\"}]}]}");
  }
}
