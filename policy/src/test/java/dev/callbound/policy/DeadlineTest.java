package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DeadlineTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void countsDownToZeroAndNotBelow() {
    var time = new SimulatedTime(42);
    Deadline deadline = Deadline.after(SECOND, time);

    assertThat(deadline.left(time)).isEqualTo(SECOND);
    time.advance(Duration.ofMillis(999));
    assertThat(deadline.left(time)).isEqualTo(Duration.ofMillis(1));
    assertThat(deadline.passed(time)).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(deadline.left(time)).isEqualTo(Duration.ZERO);
    assertThat(deadline.passed(time)).isTrue();
    time.advance(SECOND);
    assertThat(deadline.left(time)).isEqualTo(Duration.ZERO);
  }

  @Test
  void holdsWhenTheClocksReadingWrapsAround() {
    var time = new SimulatedTime(Long.MAX_VALUE - 10);
    Deadline sooner = Deadline.after(Duration.ofNanos(5), time);
    Deadline later = Deadline.after(SECOND, time);

    assertThat(later.atNanos()).isNegative();
    assertThat(later.left(time)).isEqualTo(SECOND);
    assertThat(later.passed(time)).isFalse();
    assertThat(sooner.isBefore(later)).isTrue();
    assertThat(later.isBefore(sooner)).isFalse();
    assertThat(later.earlier(sooner)).isEqualTo(sooner);

    time.advance(Duration.ofMillis(1));
    assertThat(sooner.passed(time)).isTrue();
    assertThat(later.left(time)).isEqualTo(Duration.ofMillis(999));
  }

  @Test
  void ofTwoTheOneThatPassesFirstCounts() {
    var time = new SimulatedTime();
    Deadline one = Deadline.after(SECOND, time);
    Deadline other = Deadline.after(SECOND.plusNanos(1), time);

    assertThat(one.earlier(other)).isEqualTo(one);
    assertThat(other.earlier(one)).isEqualTo(one);
    assertThat(one.isBefore(one)).isFalse();
  }

  @Test
  void anEndlessTimeoutIsAHundredYears() {
    for (long start : new long[] {0, Long.MAX_VALUE, Long.MIN_VALUE}) {
      var time = new SimulatedTime(start);
      Deadline deadline = Deadline.after(Duration.ofSeconds(Long.MAX_VALUE), time);

      assertThat(deadline.left(time)).isEqualTo(Duration.ofDays(36_500));
      assertThat(Deadline.after(SECOND, time).isBefore(deadline)).isTrue();
    }
  }

  @Test
  void aTimeoutOfZeroHasPassedAtOnce() {
    var time = new SimulatedTime();
    assertThat(Deadline.after(Duration.ZERO, time).passed(time)).isTrue();
  }

  @Test
  void aNegativeTimeoutIsRefusedWithItsValue() {
    assertThatThrownBy(() -> Deadline.after(Duration.ofMillis(-1), new SimulatedTime()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeout must not be negative: PT-0.001S");
  }
}
