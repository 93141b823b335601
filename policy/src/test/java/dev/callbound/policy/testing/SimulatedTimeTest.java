package dev.callbound.policy.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

final class SimulatedTimeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void sleepingMovesItAndIsRemembered() throws InterruptedException {
    var time = new SimulatedTime(5);
    time.sleep(SECOND);
    time.sleep(Duration.ZERO);

    assertThat(time.nanos()).isEqualTo(5 + SECOND.toNanos());
    assertThat(time.sleeps()).containsExactly(SECOND, Duration.ZERO);
  }

  @Test
  void whatWasPlannedHappensInItsOrderAndAtItsTime() {
    var time = new SimulatedTime();
    var seen = new ArrayList<String>();
    time.after(SECOND, () -> seen.add("second at " + time.nanos()));
    time.after(Duration.ofNanos(7), () -> seen.add("first at " + time.nanos()));
    time.after(SECOND, () -> seen.add("third at " + time.nanos()));
    time.after(SECOND.plusNanos(1), () -> seen.add("not yet"));

    assertThat(time.advance(SECOND)).isTrue();
    assertThat(seen).containsExactly("first at 7", "second at 1000000000", "third at 1000000000");
  }

  @Test
  void planningHoldsWhenTheReadingWrapsAround() {
    var time = new SimulatedTime(Long.MAX_VALUE - 1);
    var seen = new ArrayList<String>();
    time.after(SECOND, () -> seen.add("after the wrap"));
    time.after(Duration.ofNanos(1), () -> seen.add("before the wrap"));

    time.advance(SECOND);
    assertThat(seen).containsExactly("before the wrap", "after the wrap");
    assertThat(time.nanos()).isNegative();
  }

  @Test
  void cancellingEndsASleepAtThatInstantAndEveryLaterOneAtOnce() {
    var time = new SimulatedTime();
    time.after(Duration.ofMillis(300), time::cancel);

    assertThatThrownBy(() -> time.sleep(SECOND)).isInstanceOf(InterruptedException.class);
    assertThat(time.nanos()).isEqualTo(Duration.ofMillis(300).toNanos());
    assertThatThrownBy(() -> time.sleep(Duration.ZERO)).isInstanceOf(InterruptedException.class);
    assertThat(time.advance(SECOND)).isFalse();
    assertThat(time.nanos()).isEqualTo(Duration.ofMillis(300).toNanos());
    assertThat(time.cancelled()).isTrue();
  }

  @Test
  void itDoesNotRunBackwards() {
    var time = new SimulatedTime();
    Duration back = Duration.ofMillis(-1);
    assertThatThrownBy(() -> time.sleep(back)).hasMessageContaining("PT-0.001S");
    assertThatThrownBy(() -> time.advance(back)).hasMessageContaining("PT-0.001S");
    assertThatThrownBy(() -> time.after(back, () -> {})).hasMessageContaining("PT-0.001S");
  }
}
