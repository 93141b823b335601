package dev.callbound.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

final class TextTableTest {
  private static final String EXPECTED =
      """
                                       naive client           through Callbound
       task                            believed really sent   was told                    really sent
       write, then connection reset    done *   2x        2   unknown: connection_lost    1x        1
       read, answer over 1 MiB limit   done     -         1   stopped: response_too_large -         1

       done twice or more                                 1                                         0
       believed wrongly *                                 1                                         0
       unknown, and said so                               0                                         1
       calls sent                                         3                                         2
      """;

  private final List<String> plain = new TextTable(Ansi.OFF).lines(Reports.small());

  @Test
  void columnsAreAligned() {
    assertThat(plain).isEqualTo(EXPECTED.lines().toList());
  }

  @Test
  void coloursTakeNoRoom() {
    List<String> coloured = new TextTable(Ansi.ON).lines(Reports.small());
    assertThat(coloured).isNotEqualTo(plain);
    assertThat(coloured.stream().map(line -> line.replaceAll("\u001b\\[[0-9;]*m", "")).toList())
        .usingElementComparator((a, b) -> a.stripTrailing().compareTo(b.stripTrailing()))
        .isEqualTo(plain);
  }

  @Test
  void namesOfTasksFit() {
    assertThat(Task.ALL).allSatisfy(task -> assertThat(task.name()).hasSizeLessThanOrEqualTo(30));
  }
}
