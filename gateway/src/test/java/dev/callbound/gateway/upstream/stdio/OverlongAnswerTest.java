package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OverlongAnswerTest {
  private static OverlongAnswer of(String begin, String end) {
    return OverlongAnswer.of(new LineReader.Overlong(begin, end, 10_000, true));
  }

  @Test
  void idAtTheBeginIsFoundAtOnce() {
    String begin = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"id\":9,\"te";

    assertThat(OverlongAnswer.of(new LineReader.Overlong(begin, "", 10_000, false)))
        .isEqualTo(new OverlongAnswer.To("7"));
  }

  @Test
  void idAsAStringIsFound() {
    assertThat(of("{\"id\":\"7\",\"jsonrpc\":\"2.0\",\"result\":[1", "]}"))
        .isEqualTo(new OverlongAnswer.To("7"));
  }

  @Test
  void idAfterTheResultIsFoundAtTheEnd() {
    String begin = "{\"result\":{\"content\":[{\"id\":9,\"text\":\"aaa";

    assertThat(of(begin, "aaa\"}]},\"id\":7}")).isEqualTo(new OverlongAnswer.To("7"));
    assertThat(of(begin, "aaa\"}]}, \"id\" : 7, \"jsonrpc\":\"2.0\" }\r"))
        .isEqualTo(new OverlongAnswer.To("7"));
    assertThat(OverlongAnswer.of(new LineReader.Overlong(begin, "", 10_000, false)))
        .isEqualTo(new OverlongAnswer.Unclear());
  }

  @Test
  void idWithinTheResultIsNotTaken() {
    assertThat(of("{\"result\":{\"text\":\"aaa", "aaa\",\"id\":9}}"))
        .isEqualTo(new OverlongAnswer.Unclear());
    assertThat(of("{\"result\":{\"text\":\"aaa", ",\\\"id\\\":9}\"}"))
        .isEqualTo(new OverlongAnswer.Unclear());
  }

  @Test
  void requestOfTheServerIsNoAnswer() {
    assertThat(of("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\",\"par", "}"))
        .isEqualTo(new OverlongAnswer.ToNobody());
    assertThat(of("{\"params\":{\"text\":\"aaa", "a\"},\"method\":\"x\",\"id\":7}"))
        .isEqualTo(new OverlongAnswer.ToNobody());
  }

  @Test
  void textIsNoAnswer() {
    assertThat(of("Loading the model: #########", "####")).isEqualTo(new OverlongAnswer.ToNobody());
    assertThat(of("[1,2,3", "]")).isEqualTo(new OverlongAnswer.ToNobody());
  }
}
