package dev.callbound.gateway.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Rows under headings, each column as wide as its widest cell. The column that is named flexible is
 * cut, with an ellipsis, so that a row fits the width. Not thread-safe.
 */
final class Table {
  private static final String GAP = "  ";
  private static final int NARROWEST = 12;

  /** A text and how it is to look. */
  record Cell(String text, UnaryOperator<String> look) {
    static Cell of(String text) {
      return new Cell(text, UnaryOperator.identity());
    }
  }

  private final Style style;
  private final int flexible;
  private final String indent;
  private final List<Cell> headings;
  private final List<List<Cell>> rows = new ArrayList<>();

  /**
   * @param flexible the number of the column that may be cut, from 0
   */
  Table(Style style, int flexible, String indent, String... headings) {
    this.style = style;
    this.flexible = flexible;
    this.indent = indent;
    this.headings = Arrays.stream(headings).map(heading -> new Cell(heading, style::dim)).toList();
  }

  /** Adds a row, with as many cells as there are headings. */
  void row(Cell... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(headings.size() + " cells are needed: " + cells.length);
    }
    rows.add(List.of(cells));
  }

  /** The lines, headings first. */
  List<String> lines() {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    lines.add(line(headings, widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  private int[] widths() {
    int[] widths = new int[headings.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = headings.get(column).text().length();
      for (List<Cell> row : rows) {
        widths[column] = Math.max(widths[column], row.get(column).text().length());
      }
    }
    int total = indent.length() + Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
    int tooWide = Math.max(0, total - Style.WIDTH);
    int least = Math.min(widths[flexible], NARROWEST);
    widths[flexible] = Math.max(least, widths[flexible] - tooWide);
    return widths;
  }

  private String line(List<Cell> cells, int[] widths) {
    StringBuilder line = new StringBuilder(indent);
    for (int column = 0; column < widths.length; column++) {
      Cell cell = cells.get(column);
      String text = cut(cell.text(), widths[column]);
      boolean last = column == widths.length - 1;
      line.append(cell.look().apply(text));
      // Spaces at the end of a line are in the way of whoever copies it.
      line.append(last ? "" : " ".repeat(widths[column] - text.length()) + GAP);
    }
    return style == Style.PLAIN ? line.toString().stripTrailing() : line.toString();
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "…";
  }
}
