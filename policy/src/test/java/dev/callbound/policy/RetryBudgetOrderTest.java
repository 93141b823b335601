package dev.callbound.policy;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * However the calls of a run take turns with its budget, there is an order of whole steps that
 * explains what each of them got. Lincheck plays the interleavings.
 */
final class RetryBudgetOrderTest {
  private static final int LIMIT = 3;

  /** The budget, as several calls use it. */
  public static final class Shared {
    private final RetryBudget budget = RetryBudget.of(LIMIT, 1);

    @Operation
    public boolean take() {
      return budget.take();
    }

    @Operation
    public void giveBack() {
      budget.giveBack();
    }

    @Operation
    public int used() {
      return budget.used();
    }

    @Operation
    public int left() {
      return budget.left();
    }
  }

  /** What it must look like: one step after the other. */
  public static final class OneStepAtATime {
    private int used = 1;

    /** Takes one. */
    public boolean take() {
      if (used >= LIMIT) {
        return false;
      }
      used++;
      return true;
    }

    /** Gives one back. */
    public void giveBack() {
      used = Math.max(0, used - 1);
    }

    /** How many are taken. */
    public int used() {
      return used;
    }

    /** How many are left. */
    public int left() {
      return LIMIT - used;
    }
  }

  @Test
  void everyInterleavingHasAnOrderThatExplainsIt() {
    new ModelCheckingOptions()
        .iterations(10)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(3)
        .sequentialSpecification(OneStepAtATime.class)
        .check(Shared.class);
  }
}
