package dev.callbound.policy.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The properties over 50,000 random schedules. {@code benchmarks/soak} plays more.
 *
 * <p>A failure names its seed. To play that one schedule again, and to see its story:
 *
 * <pre>mvn -pl policy test -Dtest=WorldTest -Dcallbound.seed=SEED</pre>
 */
final class WorldTest {
  private static final int SCHEDULES = 50_000;
  private static final int GROUP = 1_000;

  static Stream<Schedules> schedules() {
    @Nullable Long one = Long.getLong("callbound.seed");
    return one != null
        ? Stream.of(new Schedules(one, 1))
        : LongStream.range(0, SCHEDULES / GROUP).mapToObj(i -> new Schedules(i * GROUP, GROUP));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("schedules")
  void whatMustHoldHoldsInEverySchedule(Schedules schedules) {
    schedules.play(schedules.count() == 1, _ -> {});
  }

  /** Properties that hold because nothing ever happens would be worth nothing. */
  @Test
  void theSchedulesReachEveryCorner() {
    Set<String> seen = new TreeSet<>();
    new Schedules(0, 3_000).play(false, world -> seen.addAll(world.seen()));

    assertThat(seen)
        .containsExactlyInAnyOrder(
            "RUN",
            "JOIN",
            "REPLAY",
            "ASK",
            "TOLD",
            "CONFLICT",
            "died",
            "divergent",
            "heard OK",
            "heard STOPPED",
            "heard UNKNOWN",
            "made Ok",
            "made Stopped",
            "made Unknown",
            "settled by check",
            "settled by late answer",
            "settled by person",
            "settled by repeat",
            "taken up in a wait",
            "taken up in the air",
            "turned away");
  }
}
