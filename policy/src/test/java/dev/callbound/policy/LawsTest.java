package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of the loop over 20,000 random schedules in virtual time.
 *
 * <p>A failure names its seed. To play that one schedule again, and to see its story:
 *
 * <pre>mvn -pl policy test -Dtest=LawsTest -Dcallbound.seed=SEED</pre>
 */
final class LawsTest {
  private static final int GROUPS = 100;
  private static final int SCHEDULES = 200;

  /** Consecutive seeds. */
  record Seeds(long first, int count) {
    LongStream stream() {
      return LongStream.range(first, first + count);
    }

    @Override
    public String toString() {
      return count == 1 ? "seed " + first : "seeds " + first + " to " + (first + count - 1);
    }
  }

  static Stream<Seeds> seeds() {
    @Nullable Long one = Long.getLong("callbound.seed");
    return one != null
        ? Stream.of(new Seeds(one, 1))
        : LongStream.range(0, GROUPS).mapToObj(group -> new Seeds(group * SCHEDULES, SCHEDULES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("seeds")
  void theLawsHoldInEverySchedule(Seeds seeds) {
    seeds.stream().forEach(seed -> play(seed, seeds.count() == 1));
  }

  private static void play(long seed, boolean aloud) {
    for (Schedule.Story story : new Schedule(seed).play()) {
      if (aloud) {
        System.out.println(story);
      }
      try {
        new Laws(story).check();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed %d; replay it with -Dtest=LawsTest -Dcallbound.seed=%d%n%s"
                .formatted(seed, seed, story),
            e);
      }
    }
  }

  /** Laws that hold because nothing ever happens would be worth nothing. */
  @Test
  void theSchedulesReachEveryCorner() {
    List<Schedule.Story> stories =
        LongStream.range(0, 10_000)
            .mapToObj(Schedule::new)
            .flatMap(schedule -> schedule.play().stream())
            .toList();

    assertThat(kindsOfFailure(stories)).hasSameSizeAs(Failure.class.getPermittedSubclasses());
    assertThat(reasons(stories)).isEqualTo(reasonsOfTheLoop());
    assertThat(stories)
        .as("oks at the first and at the fourth attempt")
        .anyMatch(story -> story.outcome instanceof Outcome.Ok<Object> ok && ok.attempts() == 1)
        .anyMatch(story -> story.outcome instanceof Outcome.Ok<Object> ok && ok.attempts() == 4);
    assertThat(stories)
        .as("interrupted sleeps, oversleeping, failing journals, neighbours, wrapped clocks, gates")
        .anyMatch(story -> story.gate.wasInterrupted())
        .anyMatch(story -> story.gate.unused() > 0)
        .anyMatch(story -> story.interruptFlag)
        .anyMatch(story -> story.sleeps.stream().anyMatch(sleep -> sleep.oversleep().isPositive()))
        .anyMatch(story -> story.outcome == null)
        .anyMatch(story -> story.takenByNeighbours > 0)
        .anyMatch(story -> story.begunNanos > 0 && story.endedNanos < 0);
    assertThat(
            stories.stream()
                .flatMap(story -> story.tool.checks().stream())
                .map(check -> check.finding().getClass())
                .collect(Collectors.toSet()))
        .as("what checks found")
        .hasSameSizeAs(Finding.class.getPermittedSubclasses());
  }

  private static Set<String> kindsOfFailure(List<Schedule.Story> stories) {
    return stories.stream()
        .flatMap(story -> story.tool.trials().stream())
        .flatMap(
            trial ->
                trial.reply() instanceof Reply.Failed<Object> failed
                    ? Stream.of(failed.failure().kind())
                    : Stream.empty())
        .collect(Collectors.toSet());
  }

  private static Set<Reason> reasons(List<Schedule.Story> stories) {
    var reasons = new HashSet<Reason>();
    for (Schedule.Story story : stories) {
      if (story.outcome instanceof Outcome.Stopped<Object> stopped) {
        reasons.add(stopped.reason());
      } else if (story.outcome instanceof Outcome.Unknown<Object> unknown) {
        reasons.add(unknown.reason());
      }
    }
    return reasons;
  }

  /** All but those of admission, which turn a call away before the loop. */
  private static Set<Reason> reasonsOfTheLoop() {
    Set<Reason> reasons = new HashSet<>(Arrays.asList(Reason.Unknown.values()));
    reasons.addAll(
        List.of(
            Reason.Stopped.REFUSED,
            Reason.Stopped.KEY_CONFLICT,
            Reason.Stopped.TOOL_ERROR,
            Reason.Stopped.RATE_LIMITED,
            Reason.Stopped.RETRIES_EXHAUSTED,
            Reason.Stopped.NO_TIME_LEFT,
            Reason.Stopped.DEADLINE_EXCEEDED,
            Reason.Stopped.CANCELLED,
            Reason.Stopped.RESPONSE_TOO_LARGE,
            Reason.Stopped.UNSAFE_ENDPOINT,
            Reason.Stopped.CIRCUIT_OPEN,
            Reason.Stopped.RETRY_BUDGET_SPENT,
            Reason.Stopped.SPEND_EXHAUSTED));
    return reasons;
  }
}
