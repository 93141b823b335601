package dev.callbound.policy;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a run may spend on the attempts of its calls, and what it has spent. An attempt is paid for
 * before it begins, so the limit is never passed.
 *
 * <p>Thread-safe. It lives as long as its run does: whoever makes one again after a restart tells
 * it how much is spent, from the journal.
 */
public final class SpendLimit {
  private final @Nullable Money limit;
  private final AtomicLong spent;

  private SpendLimit(@Nullable Money limit, Money spent) {
    this.limit = limit;
    this.spent = new AtomicLong(spent.millionths());
  }

  /**
   * A limit of which a part may be spent.
   *
   * @param limit how much the run may spend; null for as much as it likes
   * @param spent how much it has spent already; may be over a limit that was lowered since
   */
  public static SpendLimit of(@Nullable Money limit, Money spent) {
    return new SpendLimit(limit, spent);
  }

  /** No limit, and nothing spent. */
  public static SpendLimit none() {
    return of(null, Money.ZERO);
  }

  /** Whether that much could be paid now. What costs nothing always can. */
  public boolean allows(Money price) {
    return fits(spent.get(), price);
  }

  /** Pays that much; or returns false and pays nothing when less is left. */
  public boolean take(Money price) {
    long before =
        spent.getAndUpdate(sum -> fits(sum, price) ? counted(sum + price.millionths()) : sum);
    return fits(before, price);
  }

  /** Gives back what was paid for something that did not happen. */
  public void giveBack(Money price) {
    spent.updateAndGet(sum -> Math.max(0, sum - price.millionths()));
  }

  /** How much the run may spend; null for as much as it likes. */
  public @Nullable Money limit() {
    return limit;
  }

  /** How much is spent, attempts that are going on included. */
  public Money spent() {
    return new Money(spent.get());
  }

  private boolean fits(long sum, Money price) {
    return price.isZero() || limit == null || price.millionths() <= limit.millionths() - sum;
  }

  /** What is spent without a limit is counted as far as amounts go. */
  private static long counted(long sum) {
    return Math.min(Money.MOST, sum);
  }
}
