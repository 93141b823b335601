package dev.callbound.policy;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An amount of money, exact to a millionth, in whatever currency its owner counts. Immutable.
 *
 * @param millionths zero or more, at most {@link #MOST}
 */
public record Money(long millionths) implements Comparable<Money> {
  /** The largest amount: a thousand million. Two of them still fit a {@code long}. */
  public static final long MOST = 1_000_000_000_000_000L;

  /** Nothing. */
  public static final Money ZERO = new Money(0);

  private static final int DECIMALS = 6;
  private static final int LEAST_DECIMALS = 2;
  private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,6})?");

  public Money {
    if (millionths < 0 || millionths > MOST) {
      throw new IllegalArgumentException(
          "an amount is 0 to " + MOST + " millionths: " + millionths);
    }
  }

  /**
   * Reads an amount such as {@code 0.25}: digits, and up to six decimals after a point.
   *
   * @throws IllegalArgumentException if it is anything else, or more than {@link #MOST}
   */
  public static Money parse(String text) {
    if (!AMOUNT.matcher(text).matches()) {
      throw new IllegalArgumentException("not an amount such as 0.25: " + text);
    }
    return new Money(new BigDecimal(text).movePointRight(DECIMALS).longValueExact());
  }

  /** What is left of it after this much; nothing where that is more. */
  public Money less(Money other) {
    return new Money(Math.max(0, millionths - other.millionths));
  }

  /** Whether it is nothing. */
  public boolean isZero() {
    return millionths == 0;
  }

  @Override
  public int compareTo(Money other) {
    return Long.compare(millionths, other.millionths);
  }

  /** As {@link #parse} reads it, with at least two decimals: {@code 0.25}, {@code 3.00}. */
  @Override
  public String toString() {
    BigDecimal amount = BigDecimal.valueOf(millionths, DECIMALS).stripTrailingZeros();
    return amount.setScale(Math.max(LEAST_DECIMALS, amount.scale())).toPlainString();
  }
}
