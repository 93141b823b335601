package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What a repeat gets, as a table. A row is what became of the first call, and whether the request
 * has the same arguments; a column is how it could be recognised: by a step, by a step and the
 * tool, by the tool alone, or not at all. {@code usable} is the tool's.
 */
final class RepeatTest {
  private static final String TABLE =
      """
      first   | arguments | step     | step+key | step+check | key      | check    | neither
      none    | same      | run      | run      | run        | run      | run      | run
      none    | other     | run      | run      | run        | run      | run      | run
      open    | same      | join     | join     | join       | join     | join     | join
      open    | other     | conflict | conflict | conflict   | conflict | conflict | conflict
      ok      | same      | replay   | replay   | replay     | replay   | replay   | run
      ok      | other     | conflict | conflict | conflict   | conflict | conflict | run
      stopped | same      | run      | run      | run        | run      | run      | run
      stopped | other     | run      | run      | run        | run      | run      | run
      unknown | same      | told     | ask      | ask        | ask      | ask      | told
      unknown | other     | conflict | conflict | conflict   | conflict | conflict | conflict
      """;

  private record Request(
      Repeat.First first, boolean step, Recognition usable, boolean repeats, boolean same) {
    Repeat decided() {
      return Repeat.decide(first, step, usable, repeats, same);
    }
  }

  private record Row(Request request, Repeat expected) {}

  @TestFactory
  Stream<DynamicTest> theAnswerIsTheOneInTheTable() {
    return rows().stream()
        .map(
            row ->
                dynamicTest(
                    row.request().toString(),
                    () -> assertThat(row.request().decided()).isEqualTo(row.expected())));
  }

  @Test
  void everyRequestHasACell() {
    Set<Request> all = new HashSet<>();
    for (Repeat.First first : Repeat.First.values()) {
      for (Recognition usable : Recognition.values()) {
        for (int bits = 0; bits < 8; bits++) {
          all.add(new Request(first, (bits & 1) != 0, usable, (bits & 2) != 0, (bits & 4) != 0));
        }
      }
    }
    assertThat(rows().stream().map(Row::request)).containsExactlyInAnyOrderElementsOf(all);
  }

  private static List<Row> rows() {
    var rows = new ArrayList<Row>();
    for (String line : TABLE.lines().skip(1).toList()) {
      String[] cells = line.split("\\|", -1);
      var first = Repeat.First.valueOf(word(cells[0]));
      boolean same = word(cells[1]).equals("SAME");
      for (int column = 0; column < 6; column++) {
        boolean step = column < 3;
        Recognition usable =
            switch (column) {
              case 0, 5 -> Recognition.NONE;
              case 1, 3 -> Recognition.KEY;
              default -> Recognition.CHECK;
            };
        Repeat expected = Repeat.valueOf(word(cells[2 + column]));
        rows.add(new Row(new Request(first, step, usable, false, same), expected));
        // Equal arguments twice are two intents, unless a step says that they are one.
        rows.add(
            new Row(new Request(first, step, usable, true, same), step ? expected : Repeat.RUN));
      }
    }
    return rows;
  }

  private static String word(String cell) {
    return cell.strip().toUpperCase(java.util.Locale.ROOT);
  }
}
