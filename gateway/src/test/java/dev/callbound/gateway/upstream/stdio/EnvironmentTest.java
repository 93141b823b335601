package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Secret;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
  @Test
  void whatAProgramNeedsIsInheritedAndTheRestIsNot() {
    Map<String, String> ours =
        Map.of(
            "PATH", "/bin",
            "https_proxy", "http://proxy",
            "LC_ALL", "C",
            "AWS_SECRET_ACCESS_KEY", "secret",
            "CALLBOUND_TOKEN", "secret");

    assertThat(Environment.of(ours, Map.of()))
        .containsOnly(
            Map.entry("PATH", "/bin"),
            Map.entry("https_proxy", "http://proxy"),
            Map.entry("LC_ALL", "C"),
            Map.entry(Environment.MARK, "1"));
  }

  @Test
  void whatTheConfigAddsWins() {
    assertThat(
            Environment.of(
                Map.of("PATH", "/bin"), Map.of("PATH", Secret.of("/opt"), "T", Secret.of("x"))))
        .containsOnly(
            Map.entry("PATH", "/opt"), Map.entry("T", "x"), Map.entry(Environment.MARK, "1"));
  }
}
