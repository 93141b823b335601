package dev.callbound.gateway.cli;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.Ending;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import java.time.Instant;
import java.util.List;

/** What came after a call: who asked for it again, how it was settled, what contradicts that. */
final class AfterwardsView {
  /** The newest; all of them with {@code --json}. */
  private static final int MOST_REPEATS = 10;

  private final Screen screen;
  private final Times times;

  AfterwardsView(Screen screen) {
    this.screen = screen;
    this.times = screen.times();
  }

  /** Who settled it and how, as fields beside the outcome. */
  void settlement(CallRecord call) {
    Settlement settled = call.settled();
    if (settled == null) {
      return;
    }
    screen.field(
        "settled",
        times.beside(settled.at(), call.startedAt()) + ", " + by(settled.by(), settled.who()));
    if (settled.note() != null) {
      screen.field("", "note: " + Text.line(settled.note()));
    }
    screen.field(
        "", "until then unknown: " + settled.was().code() + ", " + Text.line(settled.wasDetail()));
  }

  /** {@code by ana}, {@code by a late answer of github}. */
  static String by(SettledBy by, String who) {
    String name = Text.line(who);
    return switch (by) {
      case PERSON -> "by " + name;
      case LATE_ANSWER -> "by a late answer of " + name;
      case CHECK -> "by a check of " + name;
      case REPEAT -> "by a repeat under the same key, " + name;
      case MODEL -> "by the model of " + name;
    };
  }

  /** A section on each of the others, where there is something to say. */
  void sections(CallHistory history) {
    divergences(history);
    repeats(history);
  }

  private void divergences(CallHistory history) {
    if (history.divergences().isEmpty()) {
      return;
    }
    screen.blank();
    screen.heading("Contradicted since, which changes nothing");
    for (Divergence divergence : history.divergences()) {
      String status = divergence.status().code();
      String said =
          divergence.reason() == null ? status : status + ": " + divergence.reason().code();
      screen.line(
          "  %s  %s, %s"
              .formatted(
                  times.beside(divergence.at(), history.call().startedAt()),
                  screen.outcome(status).apply(said),
                  by(divergence.by(), divergence.who())));
      if (!divergence.detail().isEmpty()) {
        screen.paragraph(Text.line(divergence.detail()), "     ");
      }
      if (divergence.note() != null) {
        screen.paragraph("note: " + Text.line(divergence.note()), "     ");
      }
    }
  }

  private void repeats(CallHistory history) {
    List<RepeatRecord> repeats = history.repeats();
    CallRecord follower = history.follower();
    if (repeats.isEmpty() && follower == null) {
      return;
    }
    screen.blank();
    screen.heading("Asked for again");
    int earlier = Math.max(0, repeats.size() - MOST_REPEATS);
    if (earlier > 0) {
      screen.line("  " + Text.count(earlier, "earlier time") + ", then");
    }
    for (RepeatRecord repeat : repeats.subList(earlier, repeats.size())) {
      timed(repeat.at(), history.call(), repeat(repeat));
    }
    if (follower != null) {
      Ending ending = follower.ending();
      timed(
          follower.startedAt(),
          history.call(),
          "asked again as %s, which %s"
              .formatted(
                  follower.id(),
                  ending == null ? "is still open" : "ended " + ending.status().code()));
    }
  }

  /** A text with its time before it, wrapped behind that. */
  private void timed(Instant at, CallRecord call, String text) {
    String time = "  " + times.beside(at, call.startedAt()) + "  ";
    List<String> lines = Text.wrap(text, " ".repeat(time.length()));
    screen.line(time + lines.getFirst().strip());
    screen.lines(lines.subList(1, lines.size()));
  }

  private static String repeat(RepeatRecord repeat) {
    String came =
        switch (repeat.kind()) {
          case JOINED -> "waited for this call";
          case REPLAYED -> "got this call's result";
          case TOLD -> "was told that this call is unknown";
          case CONFLICT -> "was refused: the same step, with other arguments";
        };
    String step = repeat.step() == null ? "" : ", step " + Text.line(repeat.step());
    return came + " (" + Text.line(repeat.client()) + step + ")";
  }
}
