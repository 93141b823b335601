package dev.callbound.gateway.demo;

import dev.callbound.gateway.demo.Report.Line;
import dev.callbound.gateway.demo.Report.Side;
import dev.callbound.gateway.demo.Report.Sums;
import dev.callbound.policy.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** The report for a terminal: aligned, and at most 100 columns wide. */
final class TextTable {
  /** The three columns of the naive client together. */
  private static final int NAIVE = 20;

  private static final int BELIEVED = 8;
  private static final int TOLD = 27;
  private static final int REALLY = 6;
  private static final String WRONG = " *";

  private final Ansi ansi;

  /**
   * @param ansi whether there are colours
   */
  TextTable(Ansi ansi) {
    this.ansi = ansi;
  }

  List<String> lines(Report report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        " %-30s  %s   %s"
            .formatted("", bold("naive client", NAIVE), styled("bold", "through Callbound")));
    lines.add(row("task", "believed", "really", "sent", "was told", "really", "sent"));
    for (Line line : report.lines()) {
      lines.add(
          row(
              line.task().name(),
              believed(line.naive()),
              really(line.naive()),
              sent(line.naive()),
              told(line),
              really(line.bounded()),
              sent(line.bounded())));
    }
    lines.add("");
    Sums naive = report.naive();
    Sums bounded = report.bounded();
    lines.add(sum("done twice or more", naive.repeated(), bounded.repeated(), true));
    lines.add(sum("believed wrongly *", naive.wrong(), bounded.wrong(), true));
    lines.add(sum("unknown, and said so", naive.unknown(), bounded.unknown(), false));
    lines.add(sum("calls sent", naive.sent(), bounded.sent(), false));
    return lines;
  }

  private String believed(Side side) {
    String belief = side.belief().name().toLowerCase(Locale.ROOT);
    return side.isWrong() ? colour("red", belief + WRONG, BELIEVED) : left(belief, BELIEVED);
  }

  private String told(Line line) {
    String told = line.told().toString();
    return switch (line.bounded().belief()) {
      case DONE, FAILED ->
          line.bounded().isWrong() ? colour("red", told + WRONG, TOLD) : left(told, TOLD);
      case UNKNOWN -> colour("yellow", told, TOLD);
    };
  }

  private String really(Side side) {
    String times = times(side);
    return side.isRepeated() ? colour("red", times, REALLY) : left(times, REALLY);
  }

  /** How often a write happened; a read changes nothing that could be counted. */
  static String times(Side side) {
    return side.effect() == Effect.READ ? "-" : side.count().happened() + "x";
  }

  private static String sent(Side side) {
    return String.valueOf(side.count().sent());
  }

  private String sum(String what, int naive, int bounded, boolean good) {
    return row(what, "", "", count(naive, good), "", "", count(bounded, good));
  }

  private String count(int number, boolean badUnlessZero) {
    String text = "%4d".formatted(number);
    return badUnlessZero && number > 0 ? styled("red", text) : text;
  }

  private static String row(
      String task, String believed, String really, String sent, String told, String was, String n) {
    return " %-30s  %s %s %4s   %s %s %4s"
        .formatted(
            task,
            left(believed, BELIEVED),
            left(really, REALLY),
            sent,
            left(told, TOLD),
            left(was, REALLY),
            n)
        .stripTrailing();
  }

  private String bold(String text, int width) {
    return colour("bold", text, width);
  }

  /** Pads before it colours: what a terminal does not show has no width. */
  private String colour(String style, String text, int width) {
    return styled(style, left(text, width));
  }

  private String styled(String style, String text) {
    return ansi.string("@|" + style + " " + text + "|@");
  }

  private static String left(String text, int width) {
    return text.length() >= width ? text : text + " ".repeat(width - text.length());
  }
}
