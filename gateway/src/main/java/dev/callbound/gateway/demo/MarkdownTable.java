package dev.callbound.gateway.demo;

import dev.callbound.gateway.demo.Report.Line;
import dev.callbound.gateway.demo.Report.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report as Markdown, for pages that show it. */
final class MarkdownTable {
  private MarkdownTable() {}

  static List<String> lines(Report report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| task | naive client believed | really | sent | through Callbound | really | sent |");
    lines.add("| --- | --- | ---: | ---: | --- | ---: | ---: |");
    for (Line line : report.lines()) {
      lines.add(
          row(
              line.task().name(),
              marked(line.naive(), line.naive().belief().name().toLowerCase(Locale.ROOT)),
              times(line.naive()),
              line.naive().count().sent(),
              marked(line.bounded(), line.told().toString()),
              times(line.bounded()),
              line.bounded().count().sent()));
    }
    Report.Sums naive = report.naive();
    Report.Sums bounded = report.bounded();
    lines.add(sum("done twice or more", naive.repeated(), bounded.repeated()));
    lines.add(sum("believed wrongly", naive.wrong(), bounded.wrong()));
    lines.add(sum("unknown, and said so", naive.unknown(), bounded.unknown()));
    lines.add(sum("calls sent", naive.sent(), bounded.sent()));
    return lines;
  }

  private static String marked(Side side, String text) {
    return side.isWrong() ? "**" + text + "** (wrong)" : text;
  }

  private static String times(Side side) {
    String times = TextTable.times(side);
    return side.isRepeated() ? "**" + times + "**" : times;
  }

  private static String sum(String what, int naive, int bounded) {
    return row("**" + what + "**", "", "", "**" + naive + "**", "", "", "**" + bounded + "**");
  }

  private static String row(Object... cells) {
    StringBuilder row = new StringBuilder("|");
    for (Object cell : cells) {
      row.append(' ').append(cell).append(cell.toString().isEmpty() ? "|" : " |");
    }
    return row.toString();
  }
}
