package dev.callbound.policy;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A run of up to four calls in virtual time, drawn from one seed: deadlines, a shared budget of
 * retries that neighbours take from, money that runs out, a gate that makes wait and turns away,
 * sleeps that take too long, a monotonic clock that may wrap around, cancellations at any instant,
 * and a journal that may fail.
 */
final class Schedule {
  /** A wait that the loop asked for. */
  record Sleep(long fromNanos, Duration asked, Duration oversleep, boolean interrupted) {}

  /** Everything that is known about a call once it is over; the laws are checked on it. */
  static final class Story {
    final Plan plan;
    final Past past;
    final SimulatedTool tool;
    final SimulatedGate gate;
    final RecordingJournal journal = new RecordingJournal();
    final int budgetLimit;
    final int usedBefore;
    final Money price;
    final @Nullable Money spendLimit;
    final Money spentBefore;
    final long begunNanos;
    final List<Sleep> sleeps = new ArrayList<>();

    int usedAfter;
    Money spentAfter = Money.ZERO;
    int takenByNeighbours;
    long endedNanos;
    boolean interruptFlag;
    @Nullable Long cancelledNanos;

    /** Null where the journal failed. */
    @Nullable Outcome<Object> outcome;

    Story(Plan plan, Past past, Means means, SplittableRandom random, SimulatedTime time) {
      this.plan = plan;
      this.past = past;
      this.budgetLimit = means.retries().limit();
      this.usedBefore = means.retries().used();
      this.price = means.price();
      this.spendLimit = means.spend().limit();
      this.spentBefore = means.spend().spent();
      this.begunNanos = time.nanos();
      this.tool = new SimulatedTool(random.split(), time, journal);
      this.gate = new SimulatedGate(random.split(), time);
    }

    @Override
    public String toString() {
      return "%s%n  %s%n  began %d, ended %d, cancelled %s, budget %d+%d of %d, spent %s to %s of %s at %s%n  %s%n  sleeps %s%n  %s%n  checks %s%n  executions %s%n  outcome %s"
          .formatted(
              plan,
              past,
              begunNanos,
              endedNanos,
              cancelledNanos,
              usedBefore,
              usedAfter - usedBefore,
              budgetLimit,
              spentBefore,
              spentAfter,
              spendLimit,
              price,
              journal.entries(),
              sleeps,
              gate,
              tool.checks(),
              tool.executions(),
              outcome);
    }
  }

  private final SplittableRandom random;
  private final RetryBudget budget;
  private final SpendLimit spend;
  private final long startNanos;
  private final Deadline run;

  Schedule(long seed) {
    random = new SplittableRandom(seed);
    int limit = random.nextInt(8);
    budget = RetryBudget.of(limit, random.nextInt(limit + 2));
    spend =
        SpendLimit.of(
            Draw.oneIn(random, 2) ? null : new Money(random.nextInt(30)),
            new Money(random.nextInt(10)));
    startNanos =
        Draw.oneIn(random, 4)
            ? Long.MAX_VALUE - Draw.duration(random, 1, 60_000).toNanos()
            : random.nextLong();
    run = Deadline.after(Draw.duration(random, 1, 300_000), new SimulatedTime(startNanos));
  }

  /** Makes the calls, one after the other. */
  List<Story> play() {
    var stories = new ArrayList<Story>();
    long nanos = startNanos;
    int calls = 1 + random.nextInt(4);
    for (int i = 0; i < calls; i++) {
      Story story = call(new SimulatedTime(nanos));
      stories.add(story);
      nanos = story.endedNanos + Draw.duration(random, 1, 1_000).toNanos();
    }
    return stories;
  }

  private Story call(SimulatedTime time) {
    Plan plan = plan(time);
    Past past = past(plan);
    Money price = Draw.oneIn(random, 3) ? Money.ZERO : new Money(random.nextInt(8));
    var means = new Means(budget, spend, price);
    var story = new Story(plan, past, means, random, time);
    if (past.doubt() != null || past.pending() != null) {
      story.tool.mayHaveRunBefore(past.attempts());
    }
    if (Draw.oneIn(random, 3)) {
      Duration delay = Draw.oneIn(random, 5) ? Duration.ZERO : Draw.duration(random, 1, 120_000);
      time.after(
          delay,
          () -> {
            story.cancelledNanos = time.nanos();
            time.cancel();
          });
    }
    neighbours(story, time);
    if (Draw.oneIn(random, 20)) {
      story.journal.leaveRoomFor(random.nextInt(8));
    }
    var call =
        new BoundedCall<>(
            story.plan,
            story.past,
            story.gate,
            story.tool,
            story.journal,
            means,
            Backoff.STANDARD,
            new Passing(time, story, random.split()),
            random.split());
    try {
      story.outcome = call.run();
    } catch (RecordingJournal.DiskFull _) {
      story.outcome = null;
    }
    story.interruptFlag = Thread.interrupted();
    story.endedNanos = time.nanos();
    story.usedAfter = budget.used();
    story.spentAfter = spend.spent();
    return story;
  }

  private Plan plan(SimulatedTime time) {
    Recognition recognition = Draw.of(random, Recognition.values());
    boolean forgotten = recognition == Recognition.KEY && Draw.oneIn(random, 2);
    return new Plan(
        Draw.oneIn(random, 3) ? Effect.READ : Effect.WRITE,
        recognition,
        Draw.duration(random, 10, 30_000),
        Deadline.after(Draw.duration(random, 1, 300_000), time),
        run,
        1 + random.nextInt(5),
        forgotten ? Deadline.after(Draw.duration(random, 1, 60_000), time) : null);
  }

  /** One call in four follows another, or was begun by another process. */
  private Past past(Plan plan) {
    if (!Draw.oneIn(random, 4)) {
      return Past.NOTHING;
    }
    Reason.Unknown doubt =
        plan.effect() == Effect.WRITE && Draw.oneIn(random, 2)
            ? Draw.of(random, Reason.Unknown.values())
            : null;
    if (doubt != null && Draw.oneIn(random, 2)) {
      return Past.unknown(doubt);
    }
    int attempts = random.nextInt(plan.attempts() + 1);
    boolean inTheAir = attempts > 0 && Draw.oneIn(random, 2);
    return Past.died(
        attempts, doubt, Draw.oneIn(random, 3), inTheAir ? new Failure.WorkerDied() : null);
  }

  /** Other calls of the same run, which take a retry now and then. */
  private void neighbours(Story story, SimulatedTime time) {
    for (int i = random.nextInt(3); i > 0; i--) {
      time.after(
          Draw.duration(random, 1, 60_000),
          () -> {
            if (budget.take()) {
              story.takenByNeighbours++;
            }
          });
    }
  }

  /** Time as the loop sees it; one sleep in ten takes longer than asked. */
  private record Passing(SimulatedTime time, Story story, SplittableRandom random) implements Time {
    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public void sleep(Duration asked) throws InterruptedException {
      long from = time.nanos();
      Duration oversleep =
          Draw.oneIn(random, 10) ? Draw.duration(random, 1, 10_000) : Duration.ZERO;
      boolean interrupted = true;
      try {
        time.sleep(asked.plus(oversleep));
        interrupted = false;
      } finally {
        story.sleeps.add(new Sleep(from, asked, oversleep, interrupted));
      }
    }
  }
}
