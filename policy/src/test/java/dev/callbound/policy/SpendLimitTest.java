package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SpendLimitTest {
  private static final Money CENT = Money.parse("0.01");

  @Test
  void paysUpToTheLimitAndNotBeyond() {
    var spend = SpendLimit.of(Money.parse("0.025"), Money.ZERO);

    assertThat(spend.take(CENT)).isTrue();
    assertThat(spend.take(CENT)).isTrue();
    assertThat(spend.allows(CENT)).isFalse();
    assertThat(spend.take(CENT)).isFalse();
    assertThat(spend.spent()).isEqualTo(Money.parse("0.02"));
    assertThat(spend.take(Money.parse("0.005"))).isTrue();
  }

  @Test
  void remembersWhatWasSpentBeforeARestart() {
    var spend = SpendLimit.of(CENT, CENT);

    assertThat(spend.take(CENT)).isFalse();
    assertThat(spend.take(Money.ZERO)).isTrue();
  }

  @Test
  void aLimitThatWasLoweredBelowWhatIsSpentLeavesNothing() {
    var spend = SpendLimit.of(CENT, Money.parse("1"));

    assertThat(spend.take(new Money(1))).isFalse();
    assertThat(spend.spent()).isEqualTo(Money.parse("1"));
  }

  @Test
  void withoutALimitItOnlyCounts() {
    var spend = SpendLimit.none();

    assertThat(spend.take(Money.parse("1000"))).isTrue();
    assertThat(spend.limit()).isNull();
    assertThat(spend.spent()).isEqualTo(Money.parse("1000"));
  }

  @Test
  void whatIsGivenBackCanBeSpentAgain() {
    var spend = SpendLimit.of(CENT, Money.ZERO);
    spend.take(CENT);
    spend.giveBack(CENT);

    assertThat(spend.take(CENT)).isTrue();
  }

  @Test
  void callsThatRaceForTheLastMoneyGetNoMoreThanThereIs() throws Exception {
    var spend = SpendLimit.of(Money.parse("10"), Money.ZERO);

    assertThat(Race.taken(() -> spend.take(CENT))).isEqualTo(1_000);
  }
}
