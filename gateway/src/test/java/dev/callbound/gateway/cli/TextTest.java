package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small things that every view is made of. */
class TextTest {
  @ParameterizedTest
  @CsvSource({
    "0,0 ms",
    "999,999 ms",
    "1000,1 s",
    "1250,1.25 s",
    "59900,59.9 s",
    "60000,1 m",
    "200000,3 m 20 s",
    "7200000,2 h",
    "93600000,1 d 2 h"
  })
  void lengthsHaveTwoUnitsAtMost(long millis, String text) {
    assertThat(Times.length(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @Test
  void idsAreAsShortAsTellsThemApart() {
    ShortIds ids =
        new ShortIds(List.of("c_0123456789abcdef", "c_0123456789abcxyz", "c_0999999999zzzz"));

    assertThat(ids.of("c_0123456789abcdef")).isEqualTo("c_0123456789abcd");
    assertThat(ids.of("c_0999999999zzzz")).isEqualTo("c_0999999999");
  }

  @Test
  void controlCharactersAreMadeHarmless() {
    assertThat(Text.plain("a\u001b[31mb\u202ec\td\ne")).isEqualTo("a\uFFFD[31mb\uFFFDc d\ne");
  }

  @Test
  void aTableFitsTheWidthByItsFlexibleColumn() {
    Table table = new Table(Style.PLAIN, 0, "", "TOOL", "EFFECT");
    table.row(Table.Cell.of("x".repeat(200)), Table.Cell.of("write"));

    assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    assertThat(table.lines().get(1)).endsWith("…  write");
  }
}
