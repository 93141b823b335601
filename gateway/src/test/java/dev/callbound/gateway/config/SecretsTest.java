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
  void whatIsLearnedTakesThePlaceOfWhatWasLearnedThere() {
    Secrets secrets = Secrets.of(List.of("configured"));
    secrets.learn("crm", List.of(Secret.of("Bearer one-token")));
    secrets.learn("github", List.of(Secret.of("configured-too")));

    assertThat(secrets.redact("configured-too: Bearer one-token, one-token"))
        .isEqualTo("***: ***, ***");

    secrets.learn("crm", List.of(Secret.of("two-token")));

    assertThat(secrets.redact("configured: configured-too, one-token, two-token"))
        .isEqualTo("***: ***, one-token, ***");
    assertThat(secrets).hasToString("Secrets[3]");
  }

  @Test
  void secretIsNeverPrinted() {
    assertThat(Secret.of("hunter2")).hasToString("***");
    assertThat(Secrets.of(List.of("hunter2"))).hasToString("Secrets[1]");
    assertThat(new ListenConfig.Token("ci", Secret.of("hunter2")).toString())
        .doesNotContain("hunter2");
  }
}
