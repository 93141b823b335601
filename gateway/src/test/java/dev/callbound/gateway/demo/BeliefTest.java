package dev.callbound.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Effect;
import org.junit.jupiter.api.Test;

final class BeliefTest {
  private static final Count NEVER = new Count(0, 0, 1);
  private static final Count ONCE = new Count(1, 1, 1);
  private static final Count TWICE = new Count(2, 1, 2);

  @Test
  void doneIsWrongUnlessTheWriteHappenedOnce() {
    assertThat(Belief.DONE.isWrong(Effect.WRITE, NEVER)).isTrue();
    assertThat(Belief.DONE.isWrong(Effect.WRITE, ONCE)).isFalse();
    assertThat(Belief.DONE.isWrong(Effect.WRITE, TWICE)).isTrue();
  }

  @Test
  void doneIsWrongWhereTheReadWasNeverAnswered() {
    assertThat(Belief.DONE.isWrong(Effect.READ, NEVER)).isTrue();
    assertThat(Belief.DONE.isWrong(Effect.READ, new Count(0, 1, 2))).isFalse();
  }

  @Test
  void failedIsWrongIfTheWriteHappened() {
    assertThat(Belief.FAILED.isWrong(Effect.WRITE, NEVER)).isFalse();
    assertThat(Belief.FAILED.isWrong(Effect.WRITE, ONCE)).isTrue();
  }

  @Test
  void whoLeavesItOpenIsNotWrong() {
    assertThat(Belief.UNKNOWN.isWrong(Effect.WRITE, NEVER)).isFalse();
    assertThat(Belief.UNKNOWN.isWrong(Effect.WRITE, TWICE)).isFalse();
  }
}
