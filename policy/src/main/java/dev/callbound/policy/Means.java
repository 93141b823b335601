package dev.callbound.policy;

import org.jspecify.annotations.Nullable;

/**
 * What a call may draw on: the retries and the money of its run, which it shares with the run's
 * other calls.
 *
 * @param price what one attempt of the call costs
 */
public record Means(RetryBudget retries, SpendLimit spend, Money price) {
  /** Those of a call whose attempts cost nothing. */
  public static Means freeOfCharge(RetryBudget retries) {
    return new Means(retries, SpendLimit.none(), Money.ZERO);
  }

  /** Why no attempt could be paid for now, in words for people; null where one could. */
  public @Nullable String lack() {
    return spend.allows(price) ? null : Wording.tooDear(spend, price);
  }
}
