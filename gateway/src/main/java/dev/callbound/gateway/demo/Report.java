package dev.callbound.gateway.demo;

import dev.callbound.policy.Effect;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * What came of the demo.
 *
 * @param lines one a task, in their order
 * @param run the id of the run that the gateway's calls belong to
 * @param journal the gateway's record
 */
record Report(List<Line> lines, String run, Path journal) {
  Report {
    lines = List.copyOf(lines);
  }

  /**
   * One task, as each client did it.
   *
   * @param told what the client through the gateway was told, which is what the journal says
   * @param call the id of its record
   */
  record Line(Task task, Side naive, Side bounded, Told told, String call) {}

  /** What one client believed of a task, and what its server counted. */
  record Side(Effect effect, Belief belief, Count count) {
    boolean isWrong() {
      return belief.isWrong(effect, count);
    }

    boolean isRepeated() {
      return count.happened() > 1;
    }
  }

  /** One client's results over all tasks. */
  record Sums(int repeated, int wrong, int unknown, int sent) {
    static Sums of(List<Side> sides) {
      return new Sums(
          number(sides, Side::isRepeated),
          number(sides, Side::isWrong),
          number(sides, side -> side.belief() == Belief.UNKNOWN),
          total(sides, side -> side.count().sent()));
    }

    private static int number(List<Side> sides, Predicate<Side> which) {
      return (int) sides.stream().filter(which).count();
    }

    private static int total(List<Side> sides, ToIntFunction<Side> what) {
      return sides.stream().mapToInt(what).sum();
    }
  }

  Sums naive() {
    return Sums.of(lines.stream().map(Line::naive).toList());
  }

  Sums bounded() {
    return Sums.of(lines.stream().map(Line::bounded).toList());
  }
}
