package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    var start = new CountDownLatch(1);
    var taken = new ArrayList<Future<Integer>>();
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        taken.add(
            threads.submit(
                () -> {
                  start.await();
                  int mine = 0;
                  for (int i = 0; i < 1_000; i++) {
                    if (budget.take()) {
                      mine++;
                    }
                  }
                  return mine;
                }));
      }
      start.countDown();
      int sum = 0;
      for (Future<Integer> mine : taken) {
        sum += mine.get();
      }
      assertThat(sum).isEqualTo(1_000);
    }
    assertThat(budget.left()).isZero();
  }

  @Test
  void negativeNumbersAreRefused() {
    assertThatThrownBy(() -> RetryBudget.of(-1, 0)).hasMessageContaining("-1");
    assertThatThrownBy(() -> RetryBudget.of(0, -1)).hasMessageContaining("-1");
  }
}
