package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlanTest {
  private final SimulatedTime time = new SimulatedTime(Long.MAX_VALUE - 1_000);

  @ParameterizedTest(name = "tool {0} s, call {1} s, run {2} s: {3} s by {4}")
  @CsvSource({
    "1, 5, 9, 1, TOOL",
    "5, 1, 9, 1, CALL",
    "5, 9, 1, 1, RUN",
    "9, 5, 1, 1, RUN",
    "9, 1, 5, 1, CALL",
    // Of equals: the tool's own, then the run's, which nothing can extend.
    "5, 5, 5, 5, TOOL",
    "5, 5, 9, 5, TOOL",
    "5, 9, 5, 5, TOOL",
    "9, 5, 5, 5, RUN",
  })
  void theLeastOfToolCallAndRunBoundsAnAttempt(
      int tool, int call, int run, int expected, Attempt.Limit limitedBy) {
    Attempt attempt = plan(tool, call, run).attempt(2, time);

    assertThat(attempt)
        .isEqualTo(
            new Attempt(
                2,
                Deadline.after(Duration.ofSeconds(expected), time),
                Duration.ofSeconds(expected),
                limitedBy));
  }

  @Test
  void aLaterAttemptHasWhatIsLeft() {
    Plan plan = plan(5, 60, 7);
    time.advance(Duration.ofSeconds(4));

    Attempt attempt = plan.attempt(2, time);
    assertThat(attempt.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(attempt.limitedBy()).isEqualTo(Attempt.Limit.RUN);
  }

  @Test
  void itEndsWithTheCallOrTheRun() {
    assertThat(plan(1, 3, 9).end().left(time)).isEqualTo(Duration.ofSeconds(3));
    assertThat(plan(1, 9, 3).end().left(time)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void nonsenseIsRefusedWithItsValue() {
    Deadline end = Deadline.after(Duration.ofSeconds(1), time);
    assertThatThrownBy(() -> new Plan(Effect.READ, Recognition.NONE, Duration.ZERO, end, end, 3))
        .hasMessage("timeout must be positive: PT0S");
    assertThatThrownBy(
            () -> new Plan(Effect.READ, Recognition.NONE, Duration.ofSeconds(1), end, end, 0))
        .hasMessage("attempts must be at least 1: 0");
    assertThatThrownBy(() -> new Attempt(0, end, Duration.ZERO, Attempt.Limit.RUN))
        .hasMessage("attempts count from 1: 0");
    assertThatThrownBy(() -> new Attempt(1, end, Duration.ofNanos(-1), Attempt.Limit.RUN))
        .hasMessage("timeout must not be negative: PT-0.000000001S");
  }

  @Test
  void aKeyRecognisesUntilTheProviderForgetsIt() {
    Plan keyed = keyed(Recognition.KEY, Deadline.after(Duration.ofSeconds(5), time));
    assertThat(keyed.recognition(time)).isEqualTo(Recognition.KEY);
    time.advance(Duration.ofSeconds(5));
    assertThat(keyed.recognition(time)).isEqualTo(Recognition.NONE);
    assertThat(keyed.recognition()).isEqualTo(Recognition.KEY);
    assertThat(keyed(Recognition.KEY, null).recognition(time)).isEqualTo(Recognition.KEY);
  }

  @Test
  void onlyAKeyIsForgotten() {
    Deadline until = Deadline.after(Duration.ofSeconds(5), time);
    assertThatThrownBy(() -> keyed(Recognition.CHECK, until))
        .hasMessage("only a key can be forgotten, and the recognition is CHECK");
  }

  private Plan keyed(Recognition recognition, @Nullable Deadline keyUntil) {
    Deadline end = Deadline.after(Duration.ofHours(1), time);
    return new Plan(Effect.WRITE, recognition, Duration.ofSeconds(1), end, end, 3, keyUntil);
  }

  private Plan plan(int tool, int call, int run) {
    return new Plan(
        Effect.READ,
        Recognition.NONE,
        Duration.ofSeconds(tool),
        Deadline.after(Duration.ofSeconds(call), time),
        Deadline.after(Duration.ofSeconds(run), time),
        3);
  }
}
