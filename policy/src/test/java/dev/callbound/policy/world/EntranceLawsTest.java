package dev.callbound.policy.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Draw;
import dev.callbound.policy.Entrance;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Gate;
import dev.callbound.policy.Reason;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What must hold at the entrance of a server, whoever comes and whatever happens: never more inside
 * than may be, first come first served, no wait past a deadline, nobody left behind. Over 4,000
 * schedules in virtual time; a failure names its seed.
 */
class EntranceLawsTest {
  private static final int GROUPS = 20;
  private static final int SCHEDULES = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration END = Duration.ofHours(3);

  static LongStream groups() {
    return LongStream.range(0, GROUPS);
  }

  @ParameterizedTest(name = "seeds {0} times 200")
  @MethodSource("groups")
  void theLawsHoldInEverySchedule(long group) {
    for (long seed = group * SCHEDULES; seed < (group + 1) * SCHEDULES; seed++) {
      try {
        new Crowd(seed).play();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** Laws that hold because nobody ever waits would be worth nothing. */
  @Test
  void theSchedulesReachEveryCorner() {
    Set<String> seen = new HashSet<>();
    for (long seed = 0; seed < SCHEDULES; seed++) {
      Crowd crowd = new Crowd(seed);
      crowd.play();
      seen.addAll(crowd.seen);
    }

    assertThat(seen)
        .contains(
            "at once",
            "waited",
            "cancelled",
            Reason.Stopped.CIRCUIT_OPEN.code(),
            Reason.Stopped.RATE_LIMITED.code(),
            Reason.Stopped.DEADLINE_EXCEEDED.code(),
            Reason.Stopped.REFUSED.code());
  }

  /** Some who come to one entrance, drawn from a seed. */
  private static final class Crowd {
    private final SplittableRandom random;
    private final SimulatedTime time;
    private final Turns turns;
    private final int places;
    private final int inLine;
    private final boolean troubled;
    private final Entrance entrance;
    private final List<Long> waiting = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private int inside;
    private int over;
    private long tickets;

    Crowd(long seed) {
      random = new SplittableRandom(seed);
      time = new SimulatedTime(Draw.oneIn(random, 4) ? Long.MAX_VALUE - 5_000 : random.nextLong());
      turns = new Turns(time);
      places = 1 + random.nextInt(4);
      inLine = random.nextInt(12);
      troubled = random.nextBoolean();
      Circuit.Terms terms =
          new Circuit.Terms(2, Duration.ofSeconds(30), Draw.duration(random, 1_000, 20_000));
      entrance =
          new Entrance(
              new Entrance.Order(places, inLine, terms, 0), time, random.split(), this::hear);
      this.terms = terms;
    }

    private final Circuit.Terms terms;
    private long lastNumber;

    private void hear(Entrance.State state) {
      assertThat(state.number()).as("changes are numbered").isGreaterThan(lastNumber);
      lastNumber = state.number();
    }

    void play() {
      int callers = 2 + random.nextInt(20);
      for (int i = 0; i < callers; i++) {
        SplittableRandom own = random.split();
        time.after(Draw.duration(random, 1, 60_000), () -> turns.start(actor -> visit(actor, own)));
      }
      turns.play(END);
      assertThat(over).as("nobody is left behind").isEqualTo(callers);
      assertThat(entrance.crowd()).isEqualTo(new Entrance.Crowd(0, 0, places));
    }

    private void visit(Turns.Actor actor, SplittableRandom own) {
      Sleeper sleeper = new Sleeper(time, actor);
      String tool = "tool" + own.nextInt(3);
      Gate gate = entrance.gate(new Entrance.Place(tool, terms, true), TIMEOUT, sleeper);
      Duration patience = Draw.duration(own, 1, 60_000);
      Deadline by = Deadline.after(patience, time);
      if (Draw.oneIn(own, 5)) {
        time.after(Draw.duration(own, 1, 30_000), actor::cancel);
      }
      long begun = time.nanos();
      long ticket = tickets++;
      waiting.add(ticket);
      try {
        Gate.Admission admission = gate.enter(by);
        assertThat(time.nanos() - by.atNanos()).as("no wait past the deadline").isNotPositive();
        switch (admission) {
          case Gate.Admission.Refused(Reason.Stopped reason, _, _) -> seen.add(reason.code());
          case Gate.Admission.Admitted(Gate.Pass pass) -> {
            seen.add(time.nanos() == begun ? "at once" : "waited");
            firstComeFirstServed(ticket);
            inside(sleeper, pass, own);
          }
        }
      } catch (InterruptedException _) {
        seen.add("cancelled");
      } finally {
        waiting.remove(ticket);
        over++;
      }
    }

    /** Unless a wait that a provider named, or a circuit, has come between. */
    private void firstComeFirstServed(long ticket) {
      if (!troubled) {
        assertThat(waiting.getFirst()).as("the first who waits").isEqualTo(ticket);
      }
      waiting.remove(ticket);
    }

    private void inside(Sleeper sleeper, Gate.Pass pass, SplittableRandom own)
        throws InterruptedException {
      inside++;
      assertThat(inside).as("inside at once").isLessThanOrEqualTo(places);
      assertThat(entrance.crowd().waiting()).as("in line").isLessThanOrEqualTo(inLine);
      Duration took = Draw.duration(own, 1, 8_000);
      try {
        sleeper.sleep(took);
      } finally {
        inside--;
        if (Draw.oneIn(own, 10)) {
          pass.unused();
        } else {
          pass.used(attempt(), failure(own));
        }
      }
    }

    private Attempt attempt() {
      return new Attempt(1, Deadline.after(TIMEOUT, time), TIMEOUT, Attempt.Limit.TOOL);
    }

    private @Nullable Failure failure(SplittableRandom own) {
      if (!troubled || own.nextBoolean()) {
        return null;
      }
      return switch (own.nextInt(4)) {
        case 0 -> new Failure.Limited(Draw.duration(own, 100, 20_000), "429");
        case 1 -> new Failure.Refused(401, "401");
        default -> new Failure.ServerError(503, "503");
      };
    }
  }
}
