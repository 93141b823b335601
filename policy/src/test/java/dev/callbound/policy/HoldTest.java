package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class HoldTest {
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final SimulatedTime time = new SimulatedTime(Long.MAX_VALUE - 9);
  private final Hold hold = new Hold(time, new SplittableRandom(1));

  @Test
  void nobodyIsHeldBeforeAWaitIsNamed() {
    assertThat(hold.turn(null)).isNull();
    assertThat(hold.isOver()).isTrue();
  }

  @Test
  void nobodyIsLetGoBeforeTheWaitIsOver() {
    hold.told(WAIT);
    for (int i = 0; i < 1_000; i++) {
      Duration left = turn().at().left(time);
      assertThat(left).isBetween(WAIT, WAIT.multipliedBy(2));
    }
  }

  @Test
  void theHeldAreLetGoOverAsLongAsTheyWaited() {
    hold.told(WAIT);
    List<Duration> releases = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      releases.add(turn().at().left(time));
    }

    Map<Long, Long> perSecond =
        releases.stream()
            .collect(Collectors.groupingBy(Duration::toSeconds, Collectors.counting()));
    assertThat(perSecond.values()).as("of 500 in each of 5 seconds").allMatch(it -> it < 150);
  }

  @Test
  void aShortWaitIsSpreadOverTwoSecondsAndALongOneOverTen() {
    hold.told(Duration.ofMillis(100));
    assertThat(latest()).isBetween(Duration.ofMillis(1_900), Duration.ofMillis(2_100));

    hold.told(Duration.ofMinutes(30));
    assertThat(latest().minusMinutes(30)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
  }

  private Duration latest() {
    Duration latest = Duration.ZERO;
    for (int i = 0; i < 1_000; i++) {
      Duration left = turn().at().left(time);
      latest = left.compareTo(latest) > 0 ? left : latest;
    }
    return latest;
  }

  @Test
  void theFirstWhoComesAfterTheWaitGoesAtOnce() {
    hold.told(WAIT);
    time.advance(WAIT);

    assertThat(hold.turn(null)).isNull();
    assertThat(hold.turn(null)).as("the second").isNotNull();
  }

  @Test
  void nobodyIsHeldOnceAllHaveBeenLetGo() {
    hold.told(WAIT);
    time.advance(WAIT.multipliedBy(2));

    assertThat(hold.turn(null)).isNull();
    assertThat(hold.turn(null)).isNull();
    assertThat(hold.isOver()).isTrue();
  }

  @Test
  void whoeverHasATurnKeepsItUntilAnotherWaitIsNamed() {
    hold.told(WAIT);
    Hold.Turn turn = hold.turn(null);
    assertThat(hold.turn(turn)).isEqualTo(turn);

    hold.told(WAIT.multipliedBy(3));

    assertThat(Objects.requireNonNull(hold.turn(turn)).at().left(time))
        .isGreaterThanOrEqualTo(WAIT.multipliedBy(3));
    time.advance(WAIT.multipliedBy(6));
    assertThat(hold.turn(turn)).isNull();
  }

  @Test
  void theLongestWaitCounts() {
    assertThat(hold.told(WAIT)).as("worth telling").isTrue();
    assertThat(hold.told(Duration.ofSeconds(1))).isFalse();
    assertThat(hold.left()).isEqualTo(WAIT);
    assertThat(hold.told(WAIT.plusMillis(10))).as("hardly longer").isFalse();
    assertThat(hold.left()).isEqualTo(WAIT.plusMillis(10));
    assertThat(hold.told(WAIT.multipliedBy(2))).isTrue();
  }

  @Test
  void aWaitOfDaysIsKeptForAnHour() {
    hold.told(Duration.ofDays(3));

    assertThat(hold.left()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aResetLetsEverybodyGo() {
    hold.told(WAIT);
    Hold.Turn turn = hold.turn(null);
    hold.reset();

    assertThat(hold.turn(turn)).isNull();
    assertThat(hold.left()).isZero();
  }

  private Hold.Turn turn() {
    return Objects.requireNonNull(hold.turn(null), "somebody who comes now is held");
  }
}
