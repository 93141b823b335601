package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Backoff;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RestartsTest {
  private static final Duration BASE = Duration.ofSeconds(10);
  private static final Duration CAP = Duration.ofSeconds(100);

  private final Restarts restarts = new Restarts(new Backoff(BASE, CAP), new Random(7));

  @Test
  void firstStartAndFirstRestartAreMadeAtOnce() {
    assertThat(restarts.pause()).isZero();
    restarts.ended(Duration.ZERO);
    assertThat(restarts.pause()).isZero();
  }

  @Test
  void everyFurtherEndIsFollowedByAPause() {
    restarts.ended(Duration.ZERO);
    restarts.ended(Duration.ofSeconds(1));

    assertThat(restarts.pause()).isBetween(BASE.minusSeconds(1), BASE.multipliedBy(2));
  }

  @Test
  void pauseStaysWithinTheCap() {
    for (int end = 0; end < 50; end++) {
      restarts.ended(Duration.ZERO);
    }

    assertThat(restarts.pause()).isLessThanOrEqualTo(CAP);
  }

  @Test
  void processThatStayedUpStartsTheCountAnew() {
    restarts.ended(Duration.ZERO);
    restarts.ended(Duration.ZERO);
    restarts.ended(CAP);

    assertThat(restarts.pause()).isZero();
  }
}
