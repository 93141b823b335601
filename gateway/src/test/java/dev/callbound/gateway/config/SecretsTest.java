package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SecretsTest {
  @Test
  void secretThatContainsAnotherIsTakenOutWhole() {
    Secrets secrets = Secrets.of(List.of("abcdef", "xx-abcdef-xx"));

    assertThat(secrets.redact("xx-abcdef-xx and abcdef")).isEqualTo("*** and ***");
  }

  @Test
  void shortValueIsAWordAndStays() {
    assertThat(Secrets.of(List.of("debug", "")).redact("debug")).isEqualTo("debug");
  }

  @Test
  void secretIsNeverPrinted() {
    assertThat(Secret.of("hunter2")).hasToString("***");
    assertThat(Secrets.of(List.of("hunter2"))).hasToString("Secrets[1]");
    assertThat(new ListenConfig.Token("ci", Secret.of("hunter2")).toString())
        .doesNotContain("hunter2");
  }
}
