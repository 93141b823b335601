package dev.callbound.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class InFlightTest {
  private final InFlight inFlight = new InFlight();

  @Test
  void nobodyIsLetInAboveTheLimit() {
    assertThat(inFlight.enter(2)).isTrue();
    assertThat(inFlight.enter(2)).isTrue();
    assertThat(inFlight.enter(2)).isFalse();

    inFlight.leave();

    assertThat(inFlight.enter(2)).isTrue();
    assertThat(inFlight.count()).isEqualTo(2);
  }

  @Test
  void theWaitEndsWithThePatience() throws InterruptedException {
    inFlight.enter();

    assertThat(inFlight.awaitNone(Duration.ofMillis(20))).isFalse();
  }

  @Test
  void theWaitEndsWhenTheLastHasLeft() throws InterruptedException {
    inFlight.enter();
    inFlight.enter();
    Thread.ofVirtual()
        .start(
            () -> {
              inFlight.leave();
              inFlight.leave();
            });

    assertThat(inFlight.awaitNone(Duration.ofSeconds(30))).isTrue();
    assertThat(inFlight.count()).isZero();
  }
}
