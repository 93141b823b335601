package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.policy.Circuit.Sign;
import dev.callbound.policy.Circuit.State;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CircuitTest {
  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final Duration COOL_DOWN = Duration.ofSeconds(20);
  private static final Duration ATTEMPT = Duration.ofSeconds(5);

  private final SimulatedTime time = new SimulatedTime(Long.MAX_VALUE - 7);
  private final Circuit circuit =
      new Circuit(new Circuit.Terms(3, WINDOW, COOL_DOWN), time, new SplittableRandom(1));

  @Test
  void opensAtTheLastOfItsFailures() {
    fail(2);
    assertThat(circuit.state()).isEqualTo(State.CLOSED);

    fail(1);

    assertThat(circuit.state()).isEqualTo(State.OPEN);
    assertThat(circuit.passes()).isFalse();
    assertThat(circuit.enter(soon())).isNull();
  }

  @Test
  void failuresThatLieFurtherApartThanTheWindowDoNotOpenIt() {
    fail(2);
    time.advance(WINDOW.plusNanos(1));
    fail(2);
    assertThat(circuit.state()).isEqualTo(State.CLOSED);

    time.advance(WINDOW.plusNanos(1));
    fail(1);

    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void theWindowRolls() {
    fail(1);
    time.advance(WINDOW.dividedBy(2));
    fail(1);
    time.advance(WINDOW.dividedBy(2).plusMillis(1));
    fail(1);
    assertThat(circuit.state()).isEqualTo(State.CLOSED);

    fail(1);

    assertThat(circuit.state()).isEqualTo(State.OPEN);
  }

  @Test
  void staysClosedWhereMoreAttemptsWorkThanFail() {
    for (int i = 0; i < 100; i++) {
      end(Sign.FAILED);
      end(Sign.WORKED);
      end(Sign.WORKED);
    }

    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void opensWhereHalfOfThemFail() {
    for (int i = 0; i < 3; i++) {
      end(Sign.WORKED);
      end(Sign.FAILED);
    }

    assertThat(circuit.state()).isEqualTo(State.OPEN);
  }

  @Test
  void whatWorkedBeforeTheFailuresDoesNotCountAgainstThem() {
    for (int i = 0; i < 100; i++) {
      end(Sign.WORKED);
    }

    fail(3);

    assertThat(circuit.state()).isEqualTo(State.OPEN);
  }

  @Test
  void coolsDownForThreeQuartersToAllOfItsTime() {
    List<Duration> coolDowns = new ArrayList<>();
    for (long seed = 0; seed < 200; seed++) {
      Circuit one =
          new Circuit(new Circuit.Terms(1, WINDOW, COOL_DOWN), time, new SplittableRandom(seed));
      Objects.requireNonNull(one.enter(soon())).ended(Sign.FAILED);
      coolDowns.add(one.left());
    }

    assertThat(coolDowns).allMatch(it -> it.compareTo(COOL_DOWN) <= 0);
    assertThat(coolDowns).allMatch(it -> it.compareTo(COOL_DOWN.multipliedBy(3).dividedBy(4)) >= 0);
    assertThat(coolDowns).as("spread").doesNotHaveDuplicates();
  }

  @Test
  void exactlyOneProbePasses() {
    open();
    time.advance(COOL_DOWN);

    assertThat(circuit.enter(soon())).isNotNull();

    assertThat(circuit.state()).isEqualTo(State.HALF_OPEN);
    assertThat(circuit.enter(soon())).isNull();
  }

  @Test
  void aProbeThatWorksClosesIt() {
    open();
    probe().ended(Sign.WORKED);

    assertThat(circuit.state()).isEqualTo(State.CLOSED);
    fail(2);
    assertThat(circuit.state()).as("the old failures are forgotten").isEqualTo(State.CLOSED);
  }

  @Test
  void aProbeThatFailsOpensItForAnotherCoolDown() {
    open();
    probe().ended(Sign.FAILED);

    assertThat(circuit.state()).isEqualTo(State.OPEN);
    assertThat(circuit.left()).isPositive();
  }

  @Test
  void aProbeThatSaysNothingFreesItsPlaceAtOnce() {
    open();
    probe().ended(Sign.NONE);

    assertThat(circuit.state()).isEqualTo(State.OPEN);
    assertThat(circuit.enter(soon())).isNotNull();
  }

  @Test
  void aProbeOfWhichNothingIsHeardHoldsItsPlaceNoLongerThanItsAttempt() {
    open();
    Circuit.Entry lost = probe();
    time.advance(ATTEMPT);

    Circuit.Entry second = circuit.enter(soon());

    assertThat(second).isNotNull();
    lost.ended(Sign.WORKED);
    assertThat(circuit.state()).as("the lost one has no say any more").isEqualTo(State.HALF_OPEN);
    second.ended(Sign.WORKED);
    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void anAttemptFromBeforeTheLastChangeNoLongerCounts() {
    Circuit.Entry slowSuccess = enter();
    List<Circuit.Entry> slowFailures = List.of(enter(), enter(), enter());
    open();

    slowSuccess.ended(Sign.WORKED);
    assertThat(circuit.state()).as("an old success").isEqualTo(State.OPEN);

    probe().ended(Sign.WORKED);
    slowFailures.forEach(entry -> entry.ended(Sign.FAILED));
    assertThat(circuit.state()).as("old failures").isEqualTo(State.CLOSED);
  }

  @Test
  void anEndThatIsSaidTwiceCountsOnce() {
    Circuit.Entry entry = enter();
    for (int i = 0; i < 3; i++) {
      entry.ended(Sign.FAILED);
    }

    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void aResetClosesItAndForgets() {
    open();
    circuit.reset();

    assertThat(circuit.state()).isEqualTo(State.CLOSED);
    fail(2);
    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void onePutBackFromTheRecordStaysOpenForWhatIsLeftAndNoLongerThanItsCoolDown() {
    circuit.reopen(Duration.ofSeconds(3));
    assertThat(circuit.left()).isEqualTo(Duration.ofSeconds(3));

    circuit.reopen(Duration.ofDays(1));
    assertThat(circuit.left()).isEqualTo(COOL_DOWN);
  }

  @Test
  void termsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new Circuit.Terms(0, WINDOW, COOL_DOWN))
        .hasMessage("failures must be at least 1: 0");
    assertThatThrownBy(() -> new Circuit.Terms(1, Duration.ZERO, COOL_DOWN))
        .hasMessageContaining("must be positive");
  }

  private void open() {
    fail(3);
    assertThat(circuit.state()).isEqualTo(State.OPEN);
  }

  private Circuit.Entry probe() {
    time.advance(COOL_DOWN);
    return enter();
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      end(Sign.FAILED);
    }
  }

  private void end(Sign sign) {
    enter().ended(sign);
  }

  private Circuit.Entry enter() {
    Circuit.Entry entry = circuit.enter(soon());
    assertThat(entry).as("it passes").isNotNull();
    return entry;
  }

  private Deadline soon() {
    return Deadline.after(ATTEMPT, time);
  }
}
