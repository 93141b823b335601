package dev.callbound.benchmarks.herd;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Draws what reached the server in each second, one line for each way, as SVG. */
final class Chart {
  private static final int WIDTH = 840;
  private static final int HEIGHT = 360;
  private static final int LEFT = 56;
  private static final int RIGHT = 16;
  private static final int TOP = 56;
  private static final int BOTTOM = 40;
  private static final List<String> COLOURS = List.of("#c0392b", "#d68910", "#1f618d");

  private final Map<String, Arrivals> lines;
  private final Phases phases;
  private final int seconds;
  private final int most;

  /**
   * A chart.
   *
   * @param lines what is drawn, by its name; all of the same phases
   */
  Chart(Map<String, Arrivals> lines, Phases phases) {
    this.lines = lines;
    this.phases = phases;
    this.seconds = Math.toIntExact(phases.whole().toSeconds());
    this.most = lines.values().stream().mapToInt(Arrivals::busiest).max().orElse(1);
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            .formatted(WIDTH, HEIGHT));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    double from = x((double) phases.before().toSeconds());
    double to = x((double) phases.before().plus(phases.down()).toSeconds());
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#f2f3f4\"/>\n",
            from,
            TOP,
            to - from,
            HEIGHT - TOP - BOTTOM));
    svg.append(text(from + 6, TOP + 16, "start", "the dependency fails"));
    axes(svg);
    int number = 0;
    for (Map.Entry<String, Arrivals> each : lines.entrySet()) {
      String colour = COLOURS.get(number % COLOURS.size());
      svg.append(steps(each.getValue(), colour));
      legend(svg, number, each.getKey(), colour);
      number++;
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes(StringBuilder svg) {
    svg.append(text(LEFT, 20, "start", "requests that reach the server, each second"));
    int step = step();
    for (int value = 0; value <= most; value += step) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d5d8dc\"/>\n",
              LEFT,
              y(value),
              WIDTH - RIGHT,
              y(value)));
      svg.append(text(LEFT - 8, y(value) + 4, "end", Integer.toString(value)));
    }
    for (int second = 0; second <= seconds; second += 10) {
      svg.append(text(x(second), HEIGHT - BOTTOM + 18, "middle", second + " s"));
    }
  }

  private int step() {
    return IntStream.of(1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1_000)
        .filter(step -> most / step <= 6)
        .findFirst()
        .orElse(most);
  }

  private String steps(Arrivals arrivals, String colour) {
    String points =
        IntStream.range(0, arrivals.perSecond().size())
            .mapToObj(
                second -> {
                  double y = y(arrivals.perSecond().get(second));
                  return String.format(
                      Locale.ROOT, "%.1f,%.1f %.1f,%.1f", x(second), y, x(second + 1), y);
                })
            .collect(Collectors.joining(" "));
    return "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>\n"
        .formatted(colour, points);
  }

  private static void legend(StringBuilder svg, int number, String title, String colour) {
    int x = LEFT + number * 220;
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%d\" y1=\"38\" x2=\"%d\" y2=\"38\" stroke=\"%s\" stroke-width=\"3\"/>\n",
            x,
            x + 24,
            colour));
    svg.append(text(x + 30, 42, "start", title));
  }

  private double x(double second) {
    return LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most;
  }

  private static String text(double x, double y, String anchor, String text) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#2c3e50\">%s</text>\n",
        x,
        y,
        anchor,
        text);
  }
}
