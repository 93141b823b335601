package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RetryBudgetTest {
  @Test
  void givesAsManyRetriesAsItHasAndNoMore() {
    var budget = RetryBudget.of(2, 0);

    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isFalse();
    assertThat(budget.take()).isFalse();
    assertThat(budget.used()).isEqualTo(2);
    assertThat(budget.left()).isZero();
    assertThat(budget.limit()).isEqualTo(2);
  }

  @Test
  void remembersWhatWasUsedBeforeARestart() {
    var budget = RetryBudget.of(50, 49);

    assertThat(budget.left()).isEqualTo(1);
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isFalse();
  }

  @Test
  void aRetryGivenBackCanBeTakenAgain() {
    var budget = RetryBudget.of(1, 0);
    budget.take();
    budget.giveBack();

    assertThat(budget.left()).isEqualTo(1);
    assertThat(budget.take()).isTrue();
  }

  @Test
  void givingBackMoreThanWasTakenDoesNotEnlargeIt() {
    var budget = RetryBudget.of(1, 0);
    budget.giveBack();

    assertThat(budget.left()).isEqualTo(1);
  }

  @Test
  void aLimitLoweredBelowWhatIsUsedLeavesNothing() {
    var budget = RetryBudget.of(5, 9);

    assertThat(budget.left()).isZero();
    assertThat(budget.take()).isFalse();
    assertThat(budget.used()).isEqualTo(9);
  }

  @Test
  void callsThatRaceForTheLastRetriesGetNoMoreThanThereAre() throws Exception {
    var budget = RetryBudget.of(1_000, 0);

    assertThat(Race.taken(budget::take)).isEqualTo(1_000);
    assertThat(budget.left()).isZero();
  }

  @Test
  void negativeNumbersAreRefused() {
    assertThatThrownBy(() -> RetryBudget.of(-1, 0)).hasMessageContaining("-1");
    assertThatThrownBy(() -> RetryBudget.of(0, -1)).hasMessageContaining("-1");
  }
}
