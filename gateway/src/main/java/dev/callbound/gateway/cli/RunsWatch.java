package dev.callbound.gateway.cli;

import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The runs, looked at again and again: a table that is drawn anew on a terminal, else a line for
 * each run that has changed. Not thread-safe.
 */
final class RunsWatch {
  private static final String HOME = "\u001b[H";
  private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";

  /** How the changes are told. */
  enum Form {
    /** The whole table, in the place of the last one. */
    TABLE,
    /** A line for each run that is new or has changed. */
    LINES,
    /** The same as JSON, an object to a line. */
    JSON
  }

  /** What of a run can change. */
  private record Standing(
      RunState state, int retriesUsed, OutcomeCounts outcomes, long outputsThere) {}

  private final PrintWriter out;
  private final Form form;
  private final Style style;
  private final Times times;
  private Map<String, Standing> last = Map.of();

  RunsWatch(PrintWriter out, Form form, Style style, Times times) {
    this.out = out;
    this.form = form;
    this.style = style;
    this.times = times;
  }

  /**
   * Tells what is there now.
   *
   * @param runs the newest first
   */
  void tell(List<RunSummary> runs, Instant now) {
    Map<String, Standing> current = new HashMap<>();
    List<RunSummary> changed = new ArrayList<>();
    for (RunSummary summary : runs) {
      RunRecord run = summary.run();
      Standing standing =
          new Standing(run.state(), run.retriesUsed(), summary.outcomes(), summary.outputsThere());
      current.put(run.id(), standing);
      if (!standing.equals(last.get(run.id()))) {
        changed.addFirst(summary);
      }
    }
    last = current;
    switch (form) {
      case TABLE -> redraw(runs);
      case LINES -> changed.forEach(summary -> out.println(line(summary, now)));
      case JSON -> changed.forEach(summary -> out.println(summary.toJson()));
    }
    out.flush();
  }

  private void redraw(List<RunSummary> runs) {
    StringWriter drawn = new StringWriter();
    Screen screen = new Screen(new PrintWriter(drawn), style, times);
    RunsTable.show(screen, runs);
    screen.flush();
    out.print(HOME);
    drawn.toString().lines().forEach(line -> out.println(line + CLEAR_TO_END_OF_LINE));
    out.print(CLEAR_BELOW);
  }

  private String line(RunSummary summary, Instant now) {
    RunRecord run = summary.run();
    OutcomeCounts outcomes = summary.outcomes();
    String outputs =
        summary.outputs().isEmpty()
            ? ""
            : " outputs=" + summary.outputsThere() + "/" + summary.outputs().size();
    return "%s %s %s ok=%d stopped=%d unknown=%d open=%d%s %s"
        .formatted(
            times.whole(now),
            run.id(),
            colored(run.state()),
            outcomes.ok(),
            outcomes.stopped(),
            outcomes.unknown(),
            outcomes.open(),
            outputs,
            RunsTable.called(run));
  }

  private String colored(RunState state) {
    return new Screen(out, style, times).outcome(state.code()).apply(state.code());
  }
}
