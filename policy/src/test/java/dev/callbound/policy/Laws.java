package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What must hold of every call, whatever happens. The truth is the tool's own ledger. */
final class Laws {
  private final Schedule.Story story;
  private final Plan plan;
  private final Past past;
  private final List<SimulatedTool.Trial> trials;
  private final List<RecordingJournal.Entry.Ended> ended;

  Laws(Schedule.Story story) {
    this.story = story;
    this.plan = story.plan;
    this.past = story.past;
    this.trials = story.tool.trials();
    this.ended = story.journal.attempts();
  }

  void check() {
    aWriteIsExecutedAtMostOnce();
    attemptsAndRetriesKeepTheirLimits();
    everyAttemptIsPaidForAndNothingElse();
    nothingOutlivesItsDeadline();
    cancellationIsPrompt();
    nobodyStaysAtTheGate();
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
        repeatedOnlyAfterWhatSurelyNeverRan(trials);
      }
      // The check never calls an effect absent that may still come.
      case CHECK ->
          assertThat(story.tool.executions()).as("checked: executed once").hasSizeLessThan(2);
      // The tool itself answers a repeat from the first, for as long as it knows the key.
      case KEY -> {
        Deadline until = plan.keyUntil();
        if (until != null) {
          repeatedOnlyAfterWhatSurelyNeverRan(
              trials.stream().filter(trial -> until.atNanos() - trial.begunNanos() <= 0).toList());
        }
      }
    }
  }

  /** None of these may be a repeat of an attempt that may have run, whoever made that. */
  private void repeatedOnlyAfterWhatSurelyNeverRan(List<SimulatedTool.Trial> unrecognised) {
    boolean doubt = past.doubt() != null || past.pending() != null;
    for (SimulatedTool.Trial trial : trials) {
      assertThat(doubt && unrecognised.contains(trial))
          .as("repeated only after what surely never ran: %s", trial)
          .isFalse();
      doubt |= trial.reply() instanceof Reply.Failed<Object> f && f.failure().mayHaveRun();
    }
  }

  private void attemptsAndRetriesKeepTheirLimits() {
    assertThat(past.attempts() + trials.size()).as("attempts").isLessThanOrEqualTo(plan.attempts());
    int retries = Math.max(0, past.attempts() > 0 ? trials.size() : trials.size() - 1);
    int used = story.usedAfter - story.usedBefore - story.takenByNeighbours;
    assertThat(used).as("retries that the budget counted").isEqualTo(retries);
    assertThat(story.usedAfter)
        .as("retries of the run")
        .isLessThanOrEqualTo(Math.max(story.budgetLimit, story.usedBefore));
  }

  private void everyAttemptIsPaidForAndNothingElse() {
    long spent = story.spentAfter.millionths() - story.spentBefore.millionths();
    long seen = trials.stream().filter(SimulatedTool.Trial::arrived).count();
    assertThat(spent).as("spent").isEqualTo(seen * story.price.millionths());
    Money limit = story.spendLimit;
    if (limit != null && spent > 0) {
      assertThat(story.spentAfter).as("spent by the run").isLessThanOrEqualTo(limit);
    }
  }

  private boolean canNotPay() {
    return story.spendLimit != null
        && story.spentAfter.millionths() + story.price.millionths() > story.spendLimit.millionths();
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
    boolean interrupted =
        story.gate.wasInterrupted() || story.sleeps.stream().anyMatch(Schedule.Sleep::interrupted);
    assertThat(story.interruptFlag).as("interrupt flag").isEqualTo(interrupted);
    Long cancelled = story.cancelledNanos;
    if (cancelled != null) {
      assertThat(story.endedNanos)
          .as("ends at the instant of its cancellation")
          .isEqualTo(cancelled);
    }
  }

  /** Each attempt was let in, and whoever was let in has left; who was turned away is not tried. */
  private void nobodyStaysAtTheGate() {
    assertThat(story.gate.used()).as("attempts that were let in").isEqualTo(trials.size());
    assertThat(story.gate.admitted())
        .as("all who were let in have left")
        .isEqualTo(story.gate.used() + story.gate.unused());
    assertThat(story.gate.asked() - story.gate.admitted())
        .as("nobody asks again who was turned away")
        .isBetween(0, 1);
  }

  private void namedWaitsAreKeptAndOthersBackOff() {
    int named = past.waitedAsTold() ? 1 : 0;
    List<RecordingJournal.Entry> retried = retried();
    int firstSleep = story.sleeps.size() - retried.size();
    assertThat(firstSleep).as("sleeps without a record").isBetween(0, diedInAWait() ? 1 : 0);
    for (int i = 0; i < story.sleeps.size(); i++) {
      Duration asked = story.sleeps.get(i).asked();
      Duration told = null;
      if (i >= firstSleep) {
        RecordingJournal.Entry entry = retried.get(i - firstSleep);
        assertThat(asked).as("recorded pause").isEqualTo(decision(entry).pause());
        told = entry instanceof RecordingJournal.Entry.Ended end ? told(end.failure()) : null;
      }
      if (told != null) {
        named++;
        assertThat(asked).as("named wait").isEqualTo(told);
      } else {
        int retry = Math.max(1, past.attempts()) + i;
        Duration ceiling = Backoff.STANDARD.base().multipliedBy(1L << retry);
        assertThat(asked).as("backoff").isBetween(Backoff.STANDARD.base(), ceiling);
      }
    }
    assertThat(named).as("named waits").isLessThan(2);
  }

  /** What a retry was decided on, in order. */
  private List<RecordingJournal.Entry> retried() {
    var retried = new ArrayList<RecordingJournal.Entry>();
    for (RecordingJournal.Entry entry : story.journal.entries()) {
      Decision decision = decision(entry);
      if (decision != null && decision.action() == Decision.Action.RETRY) {
        retried.add(entry);
      }
    }
    return retried;
  }

  private static @Nullable Decision decision(RecordingJournal.Entry entry) {
    return switch (entry) {
      case RecordingJournal.Entry.Ended end -> end.decision();
      case RecordingJournal.Entry.TakenUp takenUp -> takenUp.decision();
      case RecordingJournal.Entry.Begun _,
          RecordingJournal.Entry.Sent _,
          RecordingJournal.Entry.Over _ ->
          null;
    };
  }

  private boolean diedInAWait() {
    return past.attempts() > 0 && past.pending() == null;
  }

  private static @Nullable Duration told(@Nullable Failure failure) {
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
    // Taken up, Begun, Sent, Ended, and Over; where the journal failed, cut at any place.
    assertThat(order)
        .as("order of the record")
        .matches(story.outcome != null ? "T?(BSE)*O" : "T?(BSE)*(BS)?");
    assertThat(trials)
        .extracting(trial -> trial.attempt().number())
        .as("attempts count from 1, over all processes")
        .isEqualTo(
            IntStream.rangeClosed(1, trials.size()).map(i -> past.attempts() + i).boxed().toList());
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
      assertThat(
              check.afterTrials() == 0
                  ? past.doubt() != null || past.pending() != null
                  : failure(trials.get(check.afterTrials() - 1)).mayHaveRun())
          .as("asked in doubt only")
          .isTrue();
    }
  }

  private void oneOutcomeIsRecordedLast(Outcome<Object> outcome) {
    assertThat(story.journal.outcome()).isSameAs(outcome);
    assertThat(outcome.attempts()).isEqualTo(past.attempts() + trials.size());
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
        boolean before = settled() < 0 && (past.doubt() != null || past.pending() != null);
        assertThat(
                before
                    || trials.stream()
                        .skip(Math.max(0, settled()))
                        .anyMatch(trial -> failure(trial).mayHaveRun()))
            .as("unknown: an attempt may have run that no check has settled")
            .isTrue();
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

  /** How many attempts are known to have had no effect, by a check; -1 when none was made. */
  private int settled() {
    return story.tool.checks().stream()
        .filter(check -> check.finding() instanceof Finding.Absent)
        .mapToInt(SimulatedTool.Check::afterTrials)
        .max()
        .orElse(-1);
  }

  /** A call does not end before it has to. */
  private void theReasonIsTrue(Outcome<Object> outcome) {
    if (!(outcome instanceof Outcome.Stopped<Object>(Reason.Stopped reason, _, _, _))) {
      return;
    }
    Failure last = trials.isEmpty() ? past.pending() : failure(trials.getLast());
    boolean over = nanosLeft(story.endedNanos) <= 0;
    boolean lastAttempt = past.attempts() + trials.size() == plan.attempts();
    boolean holds =
        switch (reason) {
          case RETRIES_EXHAUSTED -> lastAttempt;
          case RETRY_BUDGET_SPENT -> story.usedAfter >= story.budgetLimit;
          case SPEND_EXHAUSTED -> canNotPay();
          case DEADLINE_EXCEEDED -> over || (lastAttempt && plan.attempts() == 1);
          case NO_TIME_LEFT ->
              nanosLeft(story.endedNanos) <= Backoff.STANDARD.cap().toNanos() && !over;
          case CANCELLED -> story.cancelledNanos != null || last instanceof Failure.Cancelled;
          case REFUSED -> refusal(last) || story.gate.refusedWith(reason);
          case RATE_LIMITED -> Classifier.saysNotNow(last) || story.gate.refusedWith(reason);
          case CIRCUIT_OPEN -> story.gate.refusedWith(reason);
          case TOOL_ERROR -> Failure.ToolError.PLAIN.equals(last);
          case RESPONSE_TOO_LARGE -> last instanceof Failure.TooLarge;
          case UNSAFE_ENDPOINT -> last instanceof Failure.Unsafe;
          case KEY_CONFLICT -> last instanceof Failure.KeyConflict;
          case INVALID_ARGUMENTS, DENIED, RUN_OVER, SPEND_UNVERIFIED -> false;
        };
    assertThat(holds).as("the reason is true: %s", reason).isTrue();
  }

  private static boolean refusal(@Nullable Failure failure) {
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
