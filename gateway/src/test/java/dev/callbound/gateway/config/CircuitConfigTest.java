package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Circuit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CircuitConfigTest {
  @TempDir Path folder;

  @Test
  void everyToolHasACircuitOfItsOwnUnlessSomebodySaysOtherwise() {
    ServerConfig server = server("servers: {a: {command: a}}");

    assertThat(server.tool("t").circuit())
        .isEqualTo(
            new CircuitConfig(
                CircuitConfig.Scope.TOOL,
                new Circuit.Terms(5, Duration.ofSeconds(30), Duration.ofSeconds(15))));
    assertThat(server.crowd()).isEqualTo(new ServerConfig.Crowd(Integer.MAX_VALUE, 1_000));
  }

  @Test
  void whatIsNotSaidIsInherited() {
    ServerConfig server =
        server(
            "defaults: {circuit: {failures: 3, window: 1m}, at_once: 8, queue: 9}",
            "servers:",
            "  a:",
            "    command: a",
            "    circuit: {cool_down: 2m}",
            "    at_once: unlimited",
            "    tools: {t: {circuit: {failures: 7}}, u: {circuit: off}}");

    assertThat(server.tool("other").circuit().terms())
        .isEqualTo(new Circuit.Terms(3, Duration.ofMinutes(1), Duration.ofMinutes(2)));
    assertThat(server.tool("t").circuit().terms())
        .isEqualTo(new Circuit.Terms(7, Duration.ofMinutes(1), Duration.ofMinutes(2)));
    assertThat(server.tool("u").circuit().terms()).isNull();
    assertThat(server.crowd()).isEqualTo(new ServerConfig.Crowd(Integer.MAX_VALUE, 9));
  }

  @Test
  void whatIsOffOutsideIsOnAgainWhereSomebodySaysWhen() {
    ServerConfig server =
        server(
            "defaults: {circuit: off}",
            "servers: {a: {command: a, tools: {t: {circuit: {failures: 2}}}}}");

    assertThat(server.tool("other").circuit().terms()).isNull();
    assertThat(Objects.requireNonNull(server.tool("t").circuit().terms()).failures()).isEqualTo(2);
  }

  private ServerConfig server(String... lines) {
    return Objects.requireNonNull(new ConfigFiles(folder).yaml(lines).load().servers().get("a"));
  }
}
