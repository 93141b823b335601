package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What must hold of every call, whatever happens. The truth is the tool's own ledger. */
final class Laws {
  private final Schedule.Story story;
  private final Plan plan;
  private final List<SimulatedTool.Trial> trials;
  private final List<RecordingJournal.Entry.Ended> ended;

  Laws(Schedule.Story story) {
    this.story = story;
    this.plan = story.plan;
    this.trials = story.tool.trials();
    this.ended = story.journal.attempts();
  }

  void check() {
    aWriteIsExecutedAtMostOnce();
    attemptsAndRetriesKeepTheirLimits();
    nothingOutlivesItsDeadline();
    cancellationIsPrompt();
    namedWaitsAreKeptAndOthersBackOff();
    whatIsSentWasRecordedBefore();
    checksAreAskedOnlyWhereTheyCanBe();
    Outcome<Object> outcome = story.outcome;
    if (outcome != null) {
      oneOutcomeIsRecordedLast(outcome);
      theOutcomeIsTrue(outcome);
      theReasonIsTrue(outcome);
    }
  }

  private void aWriteIsExecutedAtMostOnce() {
    if (plan.effect() == Effect.READ) {
      return;
    }
    switch (plan.recognition()) {
      case NONE -> {
        assertThat(story.tool.executions()).as("unrecognised: executed once").hasSizeLessThan(2);
        assertThat(trials.stream().limit(Math.max(0, trials.size() - 1)))
            .as("unrecognised: repeated only after what surely never ran")
            .allMatch(trial -> !failure(trial).mayHaveRun());
      }
      // The check never calls an effect absent that may still come.
      case CHECK ->
          assertThat(story.tool.executions()).as("checked: executed once").hasSizeLessThan(2);
      // The tool itself answers a repeat from the first.
      case KEY -> {}
    }
  }

  private void attemptsAndRetriesKeepTheirLimits() {
    assertThat(trials.size()).as("attempts").isLessThanOrEqualTo(plan.attempts());
    int retries = Math.max(0, trials.size() - 1);
    int used = story.usedAfter - story.usedBefore - story.takenByNeighbours;
    if (story.outcome != null) {
      assertThat(used).as("retries that the budget counted").isEqualTo(retries);
    } else {
      assertThat(used).as("retries that the budget counted").isBetween(retries, retries + 1);
    }
    assertThat(story.usedAfter)
        .as("retries of the run")
        .isLessThanOrEqualTo(Math.max(story.budgetLimit, story.usedBefore));
  }

  private void nothingOutlivesItsDeadline() {
    for (SimulatedTool.Trial trial : trials) {
      Deadline deadline = trial.attempt().deadline();
      assertThat(nanosLeft(trial.begunNanos())).as("begun in time").isPositive();
      assertThat(plan.end().isBefore(deadline)).as("attempt within the call").isFalse();
      assertThat(deadline.atNanos() - trial.begunNanos())
          .as("attempt within the tool's timeout")
          .isLessThanOrEqualTo(plan.timeout().toNanos())
          .isEqualTo(trial.attempt().timeout().toNanos());
    }
    long oversleep = 0;
    for (Schedule.Sleep sleep : story.sleeps) {
      assertThat(sleep.asked().toNanos())
          .as("a sleep ends before the deadline")
          .isLessThan(nanosLeft(sleep.fromNanos()));
      oversleep = sleep.oversleep().toNanos();
    }
    long atMost = Math.max(0, plan.end().atNanos() - story.begunNanos) + oversleep;
    assertThat(story.endedNanos - story.begunNanos).as("duration").isLessThanOrEqualTo(atMost);
  }

  private void cancellationIsPrompt() {
    boolean interrupted = story.sleeps.stream().anyMatch(Schedule.Sleep::interrupted);
    assertThat(story.interruptFlag).as("interrupt flag").isEqualTo(interrupted);
    Long cancelled = story.cancelledNanos;
    if (cancelled != null) {
      assertThat(story.endedNanos)
          .as("ends at the instant of its cancellation")
          .isEqualTo(cancelled);
    }
  }

  private void namedWaitsAreKeptAndOthersBackOff() {
    int named = 0;
    for (int i = 0; i < story.sleeps.size(); i++) {
      Duration asked = story.sleeps.get(i).asked();
      assertThat(asked).as("recorded pause").isEqualTo(ended.get(i).decision().pause());
      Duration told = told(failure(trials.get(i)));
      if (told != null) {
        named++;
        assertThat(asked).as("named wait").isEqualTo(told);
      } else {
        Duration ceiling = Backoff.STANDARD.base().multipliedBy(1L << (i + 1));
        assertThat(asked).as("backoff").isBetween(Backoff.STANDARD.base(), ceiling);
      }
    }
    assertThat(named).as("named waits").isLessThan(2);
  }

  private static @Nullable Duration told(Failure failure) {
    if (failure instanceof Failure.Limited limited) {
      return limited.retryAfter();
    }
    return failure instanceof Failure.ToolError error ? error.retryAfter() : null;
  }

  private void whatIsSentWasRecordedBefore() {
    String order =
        story.journal.entries().stream()
            .map(entry -> entry.getClass().getSimpleName().substring(0, 1))
            .collect(Collectors.joining());
    // Begun, Sent, Ended, and Over; where the journal failed, cut at any place.
    assertThat(order)
        .as("order of the record")
        .matches(story.outcome != null ? "(BSE)*O" : "(BSE)*(BS)?");
    assertThat(trials)
        .extracting(trial -> trial.attempt().number())
        .as("attempts count from 1")
        .isEqualTo(IntStream.rangeClosed(1, trials.size()).boxed().toList());
    for (int i = 0; i < ended.size(); i++) {
      SimulatedTool.Trial trial = trials.get(i);
      assertThat(ended.get(i).attempt()).isSameAs(trial.attempt());
      assertThat(ended.get(i).failure())
          .isSameAs(trial.reply() instanceof Reply.Failed<Object> f ? f.failure() : null);
    }
  }

  private void checksAreAskedOnlyWhereTheyCanBe() {
    for (SimulatedTool.Check check : story.tool.checks()) {
      assertThat(plan.effect()).isEqualTo(Effect.WRITE);
      assertThat(plan.recognition()).isEqualTo(Recognition.CHECK);
      assertThat(check.by()).isEqualTo(plan.end());
      assertThat(nanosLeft(check.begunNanos())).as("asked in time").isPositive();
      assertThat(failure(trials.get(check.afterAttempt() - 1)).mayHaveRun()).isTrue();
    }
  }

  private void oneOutcomeIsRecordedLast(Outcome<Object> outcome) {
    assertThat(story.journal.outcome()).isSameAs(outcome);
    assertThat(outcome.attempts()).isEqualTo(trials.size());
  }

  private void theOutcomeIsTrue(Outcome<Object> outcome) {
    boolean write = plan.effect() == Effect.WRITE;
    boolean executed = !story.tool.executions().isEmpty();
    switch (outcome) {
      case Outcome.Ok<Object>(Object result, _) -> {
        assertThat(executed || !write).as("ok: the effect is there").isTrue();
        assertThat(result).as("the tool's own result").isSameAs(lastResult());
      }
      case Outcome.Stopped<Object> stopped -> {
        Object answer =
            trials.isEmpty() || !(trials.getLast().reply() instanceof Reply.Failed<Object> failed)
                ? null
                : failed.answer();
        assertThat(stopped.answer()).as("the tool's own error").isSameAs(answer);
        assertThat(write && executed && answer == null)
            .as("stopped: no effect, unless the tool itself answered")
            .isFalse();
      }
      case Outcome.Unknown<Object> _ -> {
        assertThat(write).as("only a write is unknown").isTrue();
        assertThat(trials.stream().skip(settled()))
            .as("unknown: an attempt may have run that no check has settled")
            .anyMatch(trial -> failure(trial).mayHaveRun());
      }
    }
  }

  private Object lastResult() {
    List<SimulatedTool.Check> checks = story.tool.checks();
    if (!checks.isEmpty() && checks.getLast().finding() instanceof Finding.Landed<Object>(var it)) {
      return it;
    }
    return ((Reply.Answered<Object>) trials.getLast().reply()).result();
  }

  /** How many attempts are known to have had no effect, by a check. */
  private int settled() {
    return story.tool.checks().stream()
        .filter(check -> check.finding() instanceof Finding.Absent)
        .mapToInt(SimulatedTool.Check::afterAttempt)
        .max()
        .orElse(0);
  }

  /** A call does not end before it has to. */
  private void theReasonIsTrue(Outcome<Object> outcome) {
    if (!(outcome instanceof Outcome.Stopped<Object>(Reason.Stopped reason, _, _, _))) {
      return;
    }
    boolean over = nanosLeft(story.endedNanos) <= 0;
    boolean lastAttempt = trials.size() == plan.attempts();
    boolean holds =
        switch (reason) {
          case RETRIES_EXHAUSTED -> lastAttempt;
          case RETRY_BUDGET_SPENT -> story.usedAfter >= story.budgetLimit;
          case DEADLINE_EXCEEDED -> over || (lastAttempt && plan.attempts() == 1);
          case NO_TIME_LEFT ->
              nanosLeft(story.endedNanos) <= Backoff.STANDARD.cap().toNanos() && !over;
          case CANCELLED ->
              story.cancelledNanos != null
                  || failure(trials.getLast()) instanceof Failure.Cancelled;
          case REFUSED -> refusal(failure(trials.getLast()));
          case RATE_LIMITED -> Classifier.saysNotNow(failure(trials.getLast()));
          case TOOL_ERROR -> failure(trials.getLast()).equals(Failure.ToolError.PLAIN);
          case RESPONSE_TOO_LARGE -> failure(trials.getLast()) instanceof Failure.TooLarge;
          case UNSAFE_ENDPOINT -> failure(trials.getLast()) instanceof Failure.Unsafe;
          case KEY_CONFLICT -> failure(trials.getLast()) instanceof Failure.KeyConflict;
          case CIRCUIT_OPEN,
              INVALID_ARGUMENTS,
              DENIED,
              RUN_OVER,
              SPEND_EXHAUSTED,
              SPEND_UNVERIFIED ->
              false;
        };
    assertThat(holds).as("the reason is true: %s", reason).isTrue();
  }

  private static boolean refusal(Failure failure) {
    return failure instanceof Failure.Refused
        || (failure instanceof Failure.ToolError(Integer status, _) && status == 401);
  }

  private long nanosLeft(long atNanos) {
    return plan.end().atNanos() - atNanos;
  }

  private static Failure failure(SimulatedTool.Trial trial) {
    return ((Reply.Failed<Object>) trial.reply()).failure();
  }
}
