package dev.callbound.policy.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.BoundedCall;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Draw;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Entrance;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Journal;
import dev.callbound.policy.Means;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Past;
import dev.callbound.policy.Plan;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Reply;
import dev.callbound.policy.RetryBudget;
import dev.callbound.policy.Upstream;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two hundred runs share a dependency that is down for five minutes: virtual minutes, with the real
 * loop, the real entrance and the defaults of the gateway.
 */
class OutageTest {
  private static final int RUNS = 200;
  private static final int RETRIES = 50;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration COOL_DOWN = Duration.ofSeconds(15);
  private static final Duration DOWN_AFTER = Duration.ofMinutes(1);
  private static final Duration UP_AFTER = Duration.ofMinutes(6);
  private static final Duration END = Duration.ofMinutes(8);

  private static final Circuit.Terms TERMS =
      new Circuit.Terms(5, Duration.ofSeconds(30), COOL_DOWN);

  /** A call, and how many of its attempts were lost to the outage. */
  private record Called(int run, Outcome<String> outcome, long endedNanos, int lost) {}

  private final SimulatedTime time = new SimulatedTime();
  private final Turns turns = new Turns(time);
  private final List<Called> calls = new ArrayList<>();
  private final List<RetryBudget> budgets = new ArrayList<>();
  private int reachedWhileDown;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noRunLosesMoreThanOneAttemptACallAndRecoveryIsSeenWithinOneCoolDown(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Entrance entrance =
        new Entrance(
            new Entrance.Order(Integer.MAX_VALUE, 0, TERMS, 0), time, random.split(), _ -> {});
    for (int run = 0; run < RUNS; run++) {
      int number = run;
      SplittableRandom own = random.split();
      RetryBudget budget = RetryBudget.of(RETRIES, 0);
      budgets.add(budget);
      turns.start(actor -> live(number, actor, entrance, budget, own));
    }

    turns.play(END.plusMinutes(5));

    assertThat(calls).as("attempts lost in one call").allMatch(call -> call.lost() <= 1);
    assertThat(budgets).as("retries of a run").allMatch(budget -> budget.used() <= 1);
    long firstOk =
        calls.stream()
            .filter(call -> call.outcome() instanceof Outcome.Ok<String>)
            .mapToLong(Called::endedNanos)
            .filter(at -> at >= UP_AFTER.toNanos())
            .min()
            .orElseThrow();
    assertThat(Duration.ofNanos(firstOk).minus(UP_AFTER)).as("recovery").isLessThan(COOL_DOWN);
    assertThat(reachedWhileDown).as("requests while it was down").isLessThan(60);
    assertThat(calls.stream().filter(OutageTest::wasTurnedAway).count())
        .as("calls that were turned away")
        .isGreaterThan(RUNS);
  }

  private static boolean wasTurnedAway(Called call) {
    return call.outcome() instanceof Outcome.Stopped<String> stopped
        && stopped.reason() == Reason.Stopped.CIRCUIT_OPEN;
  }

  /** A run that calls, thinks for a few seconds, and calls again. */
  private void live(
      int run, Turns.Actor actor, Entrance entrance, RetryBudget budget, SplittableRandom random) {
    Sleeper sleeper = new Sleeper(time, actor);
    Deadline over = Deadline.after(END, time);
    while (!over.passed(time)) {
      actor.sleep(Draw.duration(random, 1_000, 10_000));
      Tool tool = new Tool(actor, random);
      Deadline end = Deadline.after(Duration.ofMinutes(5), time);
      Plan plan = new Plan(Effect.READ, Recognition.NONE, TIMEOUT, end, end, 3);
      Outcome<String> outcome =
          new BoundedCall<>(
                  plan,
                  Past.NOTHING,
                  entrance.gate(new Entrance.Place("find", TERMS, true), TIMEOUT, sleeper),
                  tool,
                  NO_RECORD,
                  Means.freeOfCharge(budget),
                  Backoff.STANDARD,
                  sleeper,
                  random)
              .run();
      calls.add(new Called(run, outcome, time.nanos(), tool.lost));
    }
  }

  private boolean isDown() {
    return time.nanos() >= DOWN_AFTER.toNanos() && time.nanos() < UP_AFTER.toNanos();
  }

  /** The dependency, as one call sees it. */
  private final class Tool implements Upstream<String> {
    private final Turns.Actor actor;
    private final SplittableRandom random;
    private int lost;

    Tool(Turns.Actor actor, SplittableRandom random) {
      this.actor = actor;
      this.random = random;
    }

    @Override
    public Reply<String> attempt(Attempt attempt) {
      boolean down = isDown();
      reachedWhileDown += down ? 1 : 0;
      actor.sleep(down ? Draw.duration(random, 1, 20) : Draw.duration(random, 20, 400));
      if (!down) {
        return new Reply.Answered<>("found");
      }
      lost++;
      return Reply.failed(new Failure.ServerError(503, "status 503"));
    }

    @Override
    public Finding<String> check(Deadline by) {
      throw new IllegalStateException("a read is never checked");
    }
  }

  private static final Journal NO_RECORD =
      new Journal() {
        @Override
        public void begun(Attempt attempt) {}

        @Override
        public void ended(
            Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision) {}

        @Override
        public void takenUp(int number, Failure failure, Decision decision) {}

        @Override
        public void ended(Outcome<?> outcome) {}
      };
}
