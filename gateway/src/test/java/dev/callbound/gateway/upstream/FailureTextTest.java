package dev.callbound.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<html><head><title>504 Gateway</title></head><body>x</body></html> | a web page: 504 Gateway",
        "<!DOCTYPE html><html><style>a{b}</style><body><h1>No</h1> go</body> | a web page: No go",
        "<html></html> | a web page",
        "{\"error\":\"bad field\"} | bad field",
        "{\"error\":{\"code\":1,\"message\":\"bad\"}} | bad",
        "{\"other\":1} | {\"other\":1}",
        "plain text | plain text",
      })
  void aBodyIsReducedToWhatAPersonWouldReadOfIt(String body, String text) {
    assertThat(FailureText.ofBody(body.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
  }

  @Test
  void aTextIsOneBoundedLine() {
    assertThat(FailureText.of(" a\r\n\tb\u0000\u2028c ")).isEqualTo("a b c");
    assertThat(FailureText.of("x".repeat(1_000_000))).hasSize(FailureText.MAX_CHARS).endsWith("…");
    String smiles = "\uD83D\uDE00".repeat(1_000);
    assertThat(FailureText.of(smiles)).hasSizeLessThanOrEqualTo(300).doesNotEndWith("\uD83D…");
  }

  @Test
  void aPageThatNeverEndsCostsLittle() {
    String page = "<html>" + "<!--".repeat(200_000) + "<script>".repeat(10_000);
    assertThat(FailureText.of(page)).startsWith("a web page");
  }
}
