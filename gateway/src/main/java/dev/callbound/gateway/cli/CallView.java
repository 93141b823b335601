package dev.callbound.gateway.cli;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Pulse;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** A call as a person wants it in the morning: what was asked, each attempt, and what to do. */
final class CallView {
  private static final String INDENT = "     ";

  /** How much of arguments and results is shown; all of them with {@code --json}. */
  private static final int MOST_SHOWN = 2_000;

  private final Screen screen;
  private final Style style;
  private final Times times;

  CallView(Screen screen) {
    this.screen = screen;
    this.style = screen.style();
    this.times = screen.times();
  }

  /**
   * Shows all of it.
   *
   * @param options see {@link NextSteps#of}
   */
  void show(CallHistory history, String options) {
    CallRecord call = history.call();
    List<AttemptRecord> attempts = history.attempts();
    AfterwardsView afterwards = new AfterwardsView(screen);
    header(history);
    outcome(call);
    afterwards.settlement(call);
    screen.blank();
    screen.heading(attempts.isEmpty() ? "No attempt was made" : "Attempts");
    attempts.forEach(attempt -> attempt(attempt, call));
    afterwards.sections(history);
    Optional<Advice> next = NextSteps.of(history, options);
    if (next.isPresent()) {
      screen.blank();
      screen.heading("What to do");
      next.get().show(screen);
    }
  }

  private void header(CallHistory history) {
    CallRecord call = history.call();
    RunRecord run = history.run();
    screen.heading("Call " + call.id());
    screen.field("tool", Text.line(call.tool()) + " on " + Text.line(call.server()));
    screen.field(
        "effect",
        call.effect().name().toLowerCase(Locale.ROOT) + ", " + because(call.effectFrom()));
    screen.field("recognition", recognition(call));
    if (call.key() != null) {
      screen.field("key", call.key());
    }
    if (call.follows() != null) {
      screen.field("follows", followed(call.follows(), history.followed()));
    }
    if (call.step() != null) {
      screen.field("step", Text.line(call.step()));
    }
    String name = run == null || run.name() == null ? "" : ", " + Text.line(run.name());
    screen.field("run", call.run() + name);
    screen.field("started", times.whole(call.startedAt()));
    new WaitingView(screen).fields(history);
    screen.field("arguments", contents(history.arguments(), call.argumentsDigest()));
  }

  private static String because(EffectSource source) {
    return switch (source) {
      case CONFIG -> "the config says so";
      case PROFILE -> "the profile of its server says so";
      case ANNOTATIONS -> "its server's annotations say so";
      case NAME -> "its name says so, against its annotations";
      case DEFAULT -> "as nothing says that it only reads";
    };
  }

  private static String recognition(CallRecord call) {
    return switch (call.recognition()) {
      case NONE ->
          call.effect() == Effect.READ
              ? "none, and a read needs none"
              : "none: a repeat could not be told from a second one";
      case KEY -> "by key: the server tells a repeat from a second one";
      case CHECK -> "by a check: the server can be asked whether the effect is there";
    };
  }

  private static String followed(String id, @Nullable CallRecord followed) {
    if (followed == null) {
      return id + ", which has been forgotten";
    }
    Ending ending = followed.ending();
    String state =
        ending == null
            ? "open"
            : ending.status().code() + (followed.settled() == null ? "" : ", settled");
    return id + ", the same call made before (" + state + ")";
  }

  private static String contents(@Nullable String full, @Nullable String digest) {
    if (full == null) {
      return digest == null ? "none" : digest;
    }
    String shown = Text.plain(full);
    return shown.length() <= MOST_SHOWN
        ? shown
        : shown.substring(0, MOST_SHOWN) + "… (" + shown.length() + " characters; all with --json)";
  }

  private void outcome(CallRecord call) {
    Ending ending = call.ending();
    if (ending == null) {
      screen.field("outcome", "open");
      return;
    }
    screen.field(
        "ended",
        times.beside(ending.endedAt(), call.startedAt())
            + ", after "
            + Times.length(Duration.between(call.startedAt(), ending.endedAt())));
    if (ending.resultBytes() > 0) {
      screen.field(
          "result",
          Text.count(ending.resultBytes(), "byte")
              + ", "
              + contents(ending.result(), ending.resultDigest()));
    }
    String status = ending.status().code();
    screen.field(
        "outcome",
        ending.reason() == null ? status : status + ": " + ending.reason().code(),
        screen.outcome(status));
    if (!ending.detail().isEmpty()) {
      screen.field("", Text.line(ending.detail()));
    }
  }

  private void attempt(AttemptRecord attempt, CallRecord call) {
    AttemptEnd end = attempt.end();
    String waited =
        end == null || end.waited() == null ? "" : ", waited " + Times.length(end.waited());
    String held =
        attempt.held().isZero() ? "" : ", held for " + Times.length(attempt.held()) + " before";
    String cost = attempt.cost().isZero() ? "" : ", cost " + attempt.cost();
    screen.line(
        "  %d  %s  given %s (%s)%s%s%s"
            .formatted(
                attempt.number(),
                times.precise(attempt.startedAt()),
                Times.length(attempt.timeout()),
                limit(attempt.limitedBy()),
                held,
                waited,
                cost));
    if (end == null) {
      screen.paragraph(
          call.ending() == null ? goingOn(attempt) : "its end was never recorded", INDENT);
      return;
    }
    FailureRecord failure = end.failure();
    if (failure != null) {
      screen.paragraph(
          failure.kind() + ": " + Text.line(failure.detail()) + ran(failure, call.effect()),
          INDENT);
    }
    stuck(attempt);
    evidence(end.evidence());
    decision(end.decision());
  }

  /** That it was marked counts whatever became of it. */
  private void stuck(AttemptRecord attempt) {
    Pulse pulse = attempt.pulse();
    if (pulse != null && pulse.stuckSince() != null) {
      screen.line(
          INDENT
              + "marked as stuck "
              + ago(attempt.startedAt(), pulse.stuckSince())
              + " after it began");
    }
  }

  /**
   * How an attempt does, as far as its gateway has written down, which it does each few seconds.
   */
  private static String goingOn(AttemptRecord attempt) {
    Instant now = Instant.now();
    StringBuilder text = new StringBuilder("still going on, for " + ago(attempt.startedAt(), now));
    Pulse pulse = attempt.pulse();
    if (pulse == null) {
      return text.toString();
    }
    text.append("; ")
        .append(
            pulse.lastProgressAt() == null
                ? "no progress"
                : Text.count(pulse.progressCount(), "progress report")
                    + ", the last "
                    + ago(pulse.lastProgressAt(), now)
                    + " ago");
    if (pulse.lastSignAt() != null) {
      text.append("; ")
          .append(Text.count(pulse.signsOfLife(), "other sign"))
          .append(" of life, the last ")
          .append(ago(pulse.lastSignAt(), now))
          .append(" ago");
    }
    if (pulse.stuckSince() != null) {
      text.append("; stuck for ").append(ago(pulse.stuckSince(), now));
    }
    return text.toString();
  }

  private static String ago(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    return Times.length(age.isNegative() ? Duration.ZERO : age);
  }

  /** Whether a read has run is nobody's concern. */
  private static String ran(FailureRecord failure, Effect effect) {
    if (effect == Effect.READ) {
      return "";
    }
    if (failure.mayHaveRun()) {
      return " (may have run)";
    }
    // Its error is an answer, and says nothing about what it had done by then.
    return failure.isToolError() ? "" : " (did not run)";
  }

  private static String limit(Attempt.Limit limit) {
    return switch (limit) {
      case TOOL -> "the tool's deadline";
      case CALL -> "what was left of the call";
      case RUN -> "what was left of the run";
    };
  }

  private void decision(Decision decision) {
    Duration pause = decision.pause();
    String action =
        switch (decision.action()) {
          case OK -> "ok";
          case RETRY ->
              pause == null || pause.isZero() ? "again" : "again after " + Times.length(pause);
          case STOP -> "stop";
          case UNKNOWN -> "unknown";
        };
    List<String> lines = Text.wrap("→ " + action + ": " + Text.line(decision.why()), INDENT);
    // Coloured after wrapping, as a colour has no width.
    screen.line(
        lines.getFirst().replaceFirst(action, Matcher.quoteReplacement(look(decision, action))));
    screen.lines(lines.subList(1, lines.size()));
  }

  private String look(Decision decision, String action) {
    return switch (decision.action()) {
      case OK -> style.good(action);
      case RETRY, STOP -> style.stopped(action);
      case UNKNOWN -> style.alarming(action);
    };
  }

  private void evidence(Evidence evidence) {
    List<String> seen = new ArrayList<>();
    if (evidence.progressCount() > 0) {
      Duration age = evidence.lastProgressAge();
      seen.add(
          Text.count(evidence.progressCount(), "progress report")
              + (age == null ? "" : ", the last " + Times.length(age) + " before the end"));
    }
    if (evidence.signsOfLife() > 0) {
      seen.add(Text.count(evidence.signsOfLife(), "other sign") + " of life");
    }
    if (!seen.isEmpty()) {
      screen.paragraph("seen: " + String.join("; ", seen), INDENT);
    }
    if (evidence.upstreamNote() != null) {
      screen.lines(
          Text.wrap(Text.plain(evidence.upstreamNote()).strip(), INDENT).stream()
              .map(style::dim)
              .toList());
    }
  }
}
