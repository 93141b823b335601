package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  private static final Duration BASE = Duration.ofMillis(250);

  @Test
  void everyWaitLiesBetweenTheBaseAndItsCeiling() {
    var random = new SplittableRandom(1);
    for (int retry = 1; retry <= 100; retry++) {
      Duration ceiling = retry < 7 ? BASE.multipliedBy(1L << retry) : Duration.ofSeconds(20);
      for (int draw = 0; draw < 200; draw++) {
        assertThat(Backoff.STANDARD.before(retry, random)).isBetween(BASE, ceiling);
      }
    }
  }

  @Test
  void theJitterIsFull() {
    var random = new SplittableRandom(2);
    var waits =
        Stream.generate(() -> Backoff.STANDARD.before(3, random).toMillis()).limit(10_000).toList();
    // Evenly from 250 to 2000 ms: mean 1125, and near both ends.
    assertThat(waits.stream().mapToLong(wait -> wait).average().orElseThrow())
        .isBetween(1_100.0, 1_150.0);
    assertThat(waits).anyMatch(wait -> wait < 270).anyMatch(wait -> wait > 1_980);
  }

  @Test
  void theSameRandomNumbersGiveTheSameWaits() {
    assertThat(Backoff.STANDARD.before(2, new SplittableRandom(7)))
        .isEqualTo(Backoff.STANDARD.before(2, new SplittableRandom(7)));
  }

  @Test
  void growthStopsAtTheCapHoweverManyRetries() {
    var backoff = new Backoff(Duration.ofNanos(1), Duration.ofDays(1));
    var random = new SplittableRandom(3);
    for (int retry : new int[] {46, 47, 61, 62, 63, 64, 65, 1_000, Integer.MAX_VALUE}) {
      for (int draw = 0; draw < 100; draw++) {
        assertThat(backoff.before(retry, random))
            .isBetween(Duration.ofNanos(1), Duration.ofDays(1));
      }
    }
  }

  @Test
  void aCapEqualToTheBaseMeansAConstantWait() {
    assertThat(new Backoff(BASE, BASE).before(5, new SplittableRandom(4))).isEqualTo(BASE);
  }

  @Test
  void nonsenseIsRefusedWithItsValue() {
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, BASE))
        .hasMessage("base must be positive: PT0S");
    assertThatThrownBy(() -> new Backoff(BASE, Duration.ofMillis(249)))
        .hasMessage("cap must be at least the base PT0.25S: PT0.249S");
    assertThatThrownBy(() -> new Backoff(BASE, Duration.ofDays(2)))
        .hasMessage("cap must be at most PT24H: PT48H");
    assertThatThrownBy(() -> Backoff.STANDARD.before(0, new SplittableRandom(5)))
        .hasMessage("retry must be at least 1: 0");
  }
}
