package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.testing.ScriptedUpstream;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A call in virtual time, against a script, with a journal that remembers. */
abstract class BoundedCallFixture {
  static final Duration TOOL = Duration.ofSeconds(1);
  static final Duration BASE = Backoff.STANDARD.base();
  static final Duration QUICK = Duration.ofMillis(10);
  static final Failure REFUSED = new Failure.Refused(403, "403 Forbidden");
  static final Failure NOT_SENT = new Failure.NotSent("connection refused");
  static final Failure BROKEN = new Failure.Broken("connection reset");
  static final Failure ERROR_500 = new Failure.ServerError(500, "500");

  final SimulatedTime time = new SimulatedTime(Long.MAX_VALUE - 12_345);
  final ScriptedUpstream<String> upstream = new ScriptedUpstream<>(time);
  final RecordingJournal journal = new RecordingJournal();
  final long begun = time.nanos();
  RetryBudget budget = RetryBudget.of(50, 0);
  SpendLimit spend = SpendLimit.none();
  Money price = Money.ZERO;
  Duration tool = TOOL;
  Duration call = Duration.ofHours(1);
  Duration run = Duration.ofHours(2);
  int attempts = 3;
  @Nullable Duration keyFor;
  Past past = Past.NOTHING;
  Gate gate = Gate.OPEN;

  @AfterEach
  void clearInterruptFlag() {
    Thread.interrupted();
  }

  Outcome<String> run(Effect effect, Recognition recognition) {
    Outcome<String> outcome = newCall(effect, recognition, upstream).run();
    assertThat(journal.outcome()).isSameAs(outcome);
    return outcome;
  }

  BoundedCall<String> newCall(Effect effect, Recognition recognition, Upstream<String> tried) {
    return newCall(effect, recognition, tried, time);
  }

  BoundedCall<String> newCall(Effect effect, Recognition recognition, Time passing) {
    return newCall(effect, recognition, upstream, passing);
  }

  BoundedCall<String> newCall(
      Effect effect, Recognition recognition, Upstream<String> tried, Time passing) {
    var plan =
        new Plan(
            effect,
            recognition,
            tool,
            Deadline.after(call, time),
            Deadline.after(run, time),
            attempts,
            keyFor == null ? null : Deadline.after(keyFor, time));
    return new BoundedCall<>(
        plan,
        past,
        gate,
        tried,
        journal,
        new Means(budget, spend, price),
        Backoff.STANDARD,
        passing,
        new SplittableRandom(1));
  }

  Duration elapsed() {
    return Duration.ofNanos(time.nanos() - begun);
  }

  Duration slept() {
    return time.sleeps().stream().reduce(Duration.ZERO, Duration::plus);
  }

  static Failure limited(@Nullable Duration retryAfter) {
    return new Failure.Limited(retryAfter, "429");
  }

  static Outcome<String> stopped(Reason.Stopped reason, String detail, int attempts) {
    return new Outcome.Stopped<>(reason, detail, attempts, null);
  }

  static Reason reason(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Ok<String> ok -> throw new AssertionError("no reason: " + ok);
      case Outcome.Stopped<String> stopped -> stopped.reason();
      case Outcome.Unknown<String> unknown -> unknown.reason();
    };
  }
}
