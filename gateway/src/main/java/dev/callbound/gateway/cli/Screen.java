package dev.callbound.gateway.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.UnaryOperator;

/** Where a command prints for people. Not thread-safe. */
final class Screen {
  /** Where the values stand behind their labels. */
  private static final int LABELS = 15;

  private final PrintWriter out;
  private final Style style;
  private final Times times;

  Screen(PrintWriter out, Style style, Times times) {
    this.out = out;
    this.style = style;
    this.times = times;
  }

  Style style() {
    return style;
  }

  Times times() {
    return times;
  }

  void line(String line) {
    out.println(line);
  }

  void lines(List<String> lines) {
    lines.forEach(out::println);
  }

  void blank() {
    out.println();
  }

  void heading(String heading) {
    out.println(style.bold(heading));
  }

  /** A label and its value, which is wrapped beside it. */
  void field(String label, String value) {
    field(label, value, UnaryOperator.identity());
  }

  void field(String label, String value, UnaryOperator<String> look) {
    String indent = " ".repeat(LABELS);
    List<String> lines = Text.wrap(value, indent);
    String first =
        look.apply(lines.getFirst().substring(Math.min(LABELS, lines.getFirst().length())));
    out.println("  " + style.dim(label) + " ".repeat(LABELS - 2 - label.length()) + first);
    lines.stream().skip(1).forEach(out::println);
  }

  void paragraph(String text, String indent) {
    lines(Text.wrap(text, indent));
  }

  /** How an outcome looks, by its code. */
  UnaryOperator<String> outcome(String code) {
    return switch (code) {
      case "ok", "done" -> style::good;
      case "unknown" -> style::alarming;
      case "open", "running" -> UnaryOperator.identity();
      default -> style::stopped;
    };
  }

  void flush() {
    out.flush();
  }
}
