package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Circuit.Sign;
import dev.callbound.policy.Circuit.State;
import dev.callbound.policy.testing.SimulatedTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What must hold of a circuit, whatever happens: never two probes, never open past its cool-down
 * without a new failure, never opened by anything but failures. Over 20,000 schedules in virtual
 * time; a failure names its seed.
 */
class CircuitLawsTest {
  private static final int GROUPS = 20;
  private static final int SCHEDULES = 1_000;

  static LongStream groups() {
    return LongStream.range(0, GROUPS);
  }

  @ParameterizedTest(name = "seeds {0} thousand")
  @MethodSource("groups")
  void theLawsHoldInEverySchedule(long group) {
    for (long seed = group * SCHEDULES; seed < (group + 1) * SCHEDULES; seed++) {
      try {
        new Schedule(seed).play();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** Attempts that pass and end at random, and what a person would say about the circuit. */
  private static final class Schedule {
    private record Inside(Circuit.Entry entry, boolean probe, Deadline until) {}

    private final SplittableRandom random;
    private final SimulatedTime time;
    private final Circuit.Terms terms;
    private final Circuit circuit;
    private final boolean failures;
    private final List<Inside> inside = new ArrayList<>();
    private final List<Long> failed = new ArrayList<>();
    private @Nullable Long openedNanos;

    Schedule(long seed) {
      random = new SplittableRandom(seed);
      time = new SimulatedTime(Draw.oneIn(random, 4) ? Long.MAX_VALUE - 5_000 : random.nextLong());
      terms =
          new Circuit.Terms(
              1 + random.nextInt(5),
              Draw.duration(random, 1_000, 60_000),
              Draw.duration(random, 1_000, 60_000));
      circuit = new Circuit(terms, time, random.split());
      failures = !Draw.oneIn(random, 4);
    }

    void play() {
      for (int i = 0; i < 100; i++) {
        switch (random.nextInt(4)) {
          case 0 -> time.advance(Draw.duration(random, 1, 20_000));
          case 1, 2 -> enter();
          default -> end();
        }
        check();
      }
    }

    private void enter() {
      boolean closed = circuit.state() == State.CLOSED;
      boolean passes = circuit.passes();
      Deadline until = Deadline.after(Draw.duration(random, 1, 30_000), time);
      Circuit.Entry entry = circuit.enter(until);
      assertThat(entry != null).as("as it said").isEqualTo(passes);
      if (entry != null) {
        inside.add(new Inside(entry, !closed, until));
      }
    }

    private void end() {
      if (inside.isEmpty()) {
        return;
      }
      Inside one = inside.remove(random.nextInt(inside.size()));
      Sign sign = failures ? Draw.of(random, Sign.values()) : Sign.WORKED;
      boolean closed = circuit.state() == State.CLOSED;
      boolean cooling = circuit.left().isPositive();
      if (sign == Sign.FAILED) {
        failed.add(time.nanos());
      }
      one.entry().ended(sign);
      if (circuit.left().isPositive() && !cooling) {
        openedNanos = time.nanos();
        assertThat(sign).as("what opens it").isEqualTo(Sign.FAILED);
        assertThat(closed || one.probe()).as("whose failure opens it").isTrue();
      }
      if (closed && circuit.state() != State.CLOSED) {
        assertThat(failed.stream().filter(this::isWithinTheWindow).count())
            .as("failures within the window when it opens")
            .isGreaterThanOrEqualTo(terms.failures());
      }
    }

    private boolean isWithinTheWindow(long nanos) {
      return time.nanos() - nanos <= terms.window().toNanos();
    }

    private void check() {
      assertThat(inside.stream().filter(it -> it.probe() && !it.until().passed(time)).count())
          .as("probes at a time")
          .isLessThan(2);
      if (!failures) {
        assertThat(circuit.state()).as("nothing but failures opens it").isEqualTo(State.CLOSED);
      }
      if (circuit.state() != State.OPEN) {
        return;
      }
      assertThat(openedNanos).isNotNull();
      long open = time.nanos() - openedNanos;
      if (open >= terms.coolDown().toNanos()) {
        assertThat(circuit.passes()).as("open past its cool-down without a new failure").isTrue();
      }
      if (open < terms.coolDown().toNanos() * 3 / 4) {
        assertThat(circuit.passes()).as("passes before it has cooled down").isFalse();
      }
    }
  }
}
