package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {
  private final List<String> lines = new ArrayList<>();
  private final List<LineReader.Overlong> overlong = new ArrayList<>();

  private final LineReader.Sink sink =
      new LineReader.Sink() {
        @Override
        public void line(byte[] line) {
          lines.add(new String(line, StandardCharsets.UTF_8));
        }

        @Override
        public void overlong(LineReader.Overlong line) {
          overlong.add(line);
        }
      };

  /** A stream that gives a few bytes at a time, as a pipe may. */
  private static InputStream slow(String text, int step) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public synchronized int read(byte[] target, int from, int length) {
        return super.read(target, from, Math.min(length, step));
      }
    };
  }

  private void read(String text, int step) throws IOException {
    new LineReader(slow(text, step), 5_000, sink).readAll();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100_000})
  void linesEndAtTheByte0x0aOnly(int step) throws Exception {
    read("a\u2028b\u0085c\n\n🚀\r\nlast", step);

    assertThat(lines).containsExactly("a\u2028b\u0085c", "", "🚀\r", "last");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 100_000})
  void lineOfTheLimitIsTakenAndOneByteMoreIsNot(int step) throws Exception {
    String exact = "x".repeat(5_000);

    read(exact + "\n" + exact + "y\nnext\n", step);

    assertThat(lines).containsExactly(exact, "next");
    assertThat(overlong).hasSize(2);
    assertThat(overlong.getLast())
        .isEqualTo(
            new LineReader.Overlong("x".repeat(4_096), "x".repeat(4_095) + "y", 5_001, true));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 999, 100_000})
  void lineOverTheLimitIsToldWhenItIsPassedAndAtItsEnd(int step) throws Exception {
    read("begin" + "-".repeat(20_000) + "end\nnext\n", step);

    assertThat(lines).containsExactly("next");
    assertThat(overlong).hasSize(2);
    assertThat(overlong.getFirst().begin()).startsWith("begin").hasSize(4_096);
    assertThat(overlong.getFirst().ended()).isFalse();
    assertThat(overlong.getLast().end()).endsWith("-end").hasSize(4_096);
    assertThat(overlong.getLast().bytes()).isEqualTo(20_008);
  }

  @Test
  void endOfTheStreamEndsALineOverTheLimit() throws Exception {
    read("-".repeat(6_000), 1_000);

    assertThat(overlong.getLast().ended()).isTrue();
  }
}
