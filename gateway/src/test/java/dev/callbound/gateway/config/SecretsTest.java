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
  void whatIsLearnedIsKnownForABoundedTime() {
    Secrets secrets = Secrets.of(List.of("configured"));
    secrets.learn("crm", List.of(Secret.of("Bearer one-token")));
    secrets.learn("github", List.of(Secret.of("configured-too")));

    assertThat(secrets.redact("configured-too: Bearer one-token, one-token"))
        .isEqualTo("***: ***, ***");

    for (int i = 2; i <= Secrets.MOST_SETS; i++) {
      secrets.learn("crm", List.of(Secret.of("token-" + i)));
      secrets.learn("crm", List.of(Secret.of("Bearer one-token")));
    }
    assertThat(secrets.redact("one-token, token-2, token-16")).isEqualTo("***, ***, ***");

    secrets.learn("crm", List.of(Secret.of("token-17")));

    assertThat(secrets.redact("configured, configured-too, one-token, token-2, token-3, token-17"))
        .isEqualTo("***, ***, ***, token-2, ***, ***");
  }

  @Test
  void theConfiguredOnesStayApart() {
    Secrets secrets = Secrets.of(List.of("configured"));
    secrets.learn("crm", List.of(Secret.of("acme-corp")));

    assertThat(secrets.configured().redact("configured, acme-corp")).isEqualTo("***, acme-corp");
  }

  @Test
  void anySchemeMayBeLeftOut() {
    for (String scheme : List.of("Bearer ", "OAuth2 ", "AWS4-HMAC-SHA256 ", "token  ")) {
      Secrets secrets = Secrets.of(List.of());
      secrets.learn("crm", List.of(Secret.of(scheme + "abc-def")));

      assertThat(secrets.redact("no abc-def")).as(scheme).isEqualTo("no ***");
    }
  }

  @Test
  void secretIsNeverPrinted() {
    assertThat(Secret.of("hunter2")).hasToString("***");
    assertThat(Secrets.of(List.of("hunter2"))).hasToString("Secrets[1]");
    assertThat(new ListenConfig.Token("ci", Secret.of("hunter2")).toString())
        .doesNotContain("hunter2");
  }
}
