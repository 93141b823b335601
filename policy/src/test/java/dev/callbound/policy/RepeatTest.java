package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What a repeat gets, as a table. A row is what became of the first call, and whether the request
 * has the same arguments; a column is how it could be recognised: by a step, by a step and the
 * tool, by the tool alone, or not at all. A column with {@code -} is that of a key which the
 * provider has forgotten.
 */
final class RepeatTest {
  private static final String TABLE =
      """
      first   | arguments | step     | step+key | step+key- | step+check | key      | key-     | check    | neither
      none    | same      | run      | run      | run       | run        | run      | run      | run      | run
      none    | other     | run      | run      | run       | run        | run      | run      | run      | run
      open    | same      | join     | join     | join      | join       | join     | join     | join     | join
      open    | other     | conflict | conflict | conflict  | conflict   | conflict | conflict | conflict | conflict
      ok      | same      | replay   | replay   | replay    | replay     | replay   | replay   | replay   | run
      ok      | other     | conflict | conflict | conflict  | conflict   | conflict | conflict | conflict | run
      stopped | same      | run      | run      | run       | run        | run      | run      | run      | run
      stopped | other     | run      | run      | run       | run        | run      | run      | run      | run
      unknown | same      | told     | ask      | told      | ask        | ask      | told     | ask      | told
      unknown | other     | conflict | conflict | conflict  | conflict   | conflict | conflict | conflict | conflict
      """;

  private record Request(
      Repeat.First first,
      boolean step,
      Recognition recognition,
      boolean forgotten,
      boolean repeats,
      boolean same) {
    Repeat decided() {
      return Repeat.decide(first, step, recognition, forgotten, repeats, same);
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
      for (Recognition recognition : Recognition.values()) {
        for (int bits = 0; bits < 16; bits++) {
          all.add(
              new Request(
                  first,
                  (bits & 1) != 0,
                  recognition,
                  (bits & 2) != 0,
                  (bits & 4) != 0,
                  (bits & 8) != 0));
        }
      }
    }
    assertThat(rows().stream().map(Row::request)).containsExactlyInAnyOrderElementsOf(all);
  }

  private static List<Row> rows() {
    var rows = new ArrayList<Row>();
    List<String> lines = TABLE.lines().toList();
    List<String> columns =
        Arrays.stream(lines.getFirst().split("\\|", -1)).skip(2).map(String::strip).toList();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\\|", -1);
      var first = Repeat.First.valueOf(word(cells[0]));
      boolean same = word(cells[1]).equals("SAME");
      for (int column = 2; column < cells.length; column++) {
        addRows(first, columns.get(column - 2), same, Repeat.valueOf(word(cells[column])), rows);
      }
    }
    return rows;
  }

  private static void addRows(
      Repeat.First first, String column, boolean same, Repeat expected, List<Row> rows) {
    boolean step = column.startsWith("step");
    Recognition recognition =
        column.contains("key")
            ? Recognition.KEY
            : column.contains("check") ? Recognition.CHECK : Recognition.NONE;
    boolean[] forgotten =
        recognition == Recognition.KEY
            ? new boolean[] {column.endsWith("-")}
            : new boolean[] {false, true};
    for (boolean it : forgotten) {
      rows.add(new Row(new Request(first, step, recognition, it, false, same), expected));
      // Equal arguments twice are two intents, unless a step says that they are one.
      rows.add(
          new Row(
              new Request(first, step, recognition, it, true, same), step ? expected : Repeat.RUN));
    }
  }

  private static String word(String cell) {
    return cell.strip().toUpperCase(Locale.ROOT);
  }
}
