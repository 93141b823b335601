package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Entrance.Bar;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is in the way at an entrance, and what is told of it; who waits there is another test's. */
class EntranceTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Circuit.Terms TERMS =
      new Circuit.Terms(2, Duration.ofSeconds(30), Duration.ofSeconds(20));
  private static final Entrance.Place FIND = new Entrance.Place("find", TERMS, true);
  private static final Entrance.Place LIST = new Entrance.Place("list", TERMS, true);
  private static final Failure DOWN = new Failure.ServerError(503, "status 503: tenant 12");

  private final SimulatedTime time = new SimulatedTime();
  private final List<Entrance.State> told = new ArrayList<>();
  private final Entrance entrance = entrance(TERMS);

  private Entrance entrance(Circuit.@Nullable Terms credentials) {
    return new Entrance(
        new Entrance.Order(10, 10, credentials, 7), time, new SplittableRandom(1), told::add);
  }

  @Test
  void aCircuitOpensForItsPlaceAlone() throws Exception {
    fail(FIND, DOWN);
    fail(FIND, DOWN);

    Gate.Admission.Refused refused = refused(FIND);
    assertThat(refused.reason()).isEqualTo(Reason.Stopped.CIRCUIT_OPEN);
    assertThat(refused.retryAfter()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(20));
    assertThat(admitted(LIST)).isNotNull();
  }

  @Test
  void aCallerIsNotToldWhatTheServerSaidToAnother() throws Exception {
    fail(FIND, DOWN);
    fail(FIND, DOWN);

    assertThat(refused(FIND).why()).contains("server_error").doesNotContain("tenant");
  }

  @Test
  void aSingle401ShutsAllPlaces() throws Exception {
    fail(FIND, new Failure.Refused(401, "status 401"));

    assertThat(refused(LIST).reason()).isEqualTo(Reason.Stopped.REFUSED);
    assertThat(entrance.refusesCredentials()).isTrue();
    assertThat(told).extracting(Entrance.State::bar).containsExactly(Bar.CREDENTIALS);

    time.advance(TERMS.coolDown());
    admitted(LIST).used(attempt(), null);

    assertThat(admitted(FIND)).isNotNull();
    assertThat(told)
        .extracting(Entrance.State::state)
        .containsExactly(Circuit.State.OPEN, Circuit.State.HALF_OPEN, Circuit.State.CLOSED);
  }

  @Test
  void a401BesideTheEntranceCountsToo() throws Exception {
    entrance.heard(new Failure.NotSent("connection refused"));
    assertThat(entrance.refusesCredentials()).isFalse();

    entrance.heard(new Failure.Refused(401, "status 401"));

    assertThat(refused(FIND).reason()).isEqualTo(Reason.Stopped.REFUSED);
  }

  @Test
  void withoutACircuitForCredentialsEachCallIsRefusedByItself() throws Exception {
    Entrance other = entrance(null);
    for (int i = 0; i < 5; i++) {
      Gate.Admission admission = gate(other, FIND).enter(later());
      ((Gate.Admission.Admitted) admission).pass().used(attempt(), new Failure.Refused(401, "401"));
    }

    assertThat(other.refusesCredentials()).isFalse();
  }

  @Test
  void aWaitThatDoesNotFitIsNotBegun() throws Exception {
    fail(FIND, new Failure.Limited(Duration.ofHours(2), "status 429"));

    Gate.Admission.Refused refused = refused(FIND);

    assertThat(refused.reason()).isEqualTo(Reason.Stopped.RATE_LIMITED);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofHours(1));
    assertThat(admitted(LIST)).isNotNull();
    assertThat(told).extracting(Entrance.State::bar).containsExactly(Bar.LIMIT);
  }

  @Test
  void whatTakesNoPlaceDoesNotWaitForOne() throws Exception {
    for (int i = 0; i < 10; i++) {
      admitted(FIND);
    }

    Gate.Pass pass = admitted(new Entrance.Place(Entrance.SERVER, null, false));

    assertThat(entrance.crowd()).isEqualTo(new Entrance.Crowd(10, 0, 10));
    pass.unused();
    assertThat(entrance.crowd()).isEqualTo(new Entrance.Crowd(10, 0, 10));
  }

  @Test
  void changesAreNumberedFromWhereTheLastProcessStopped() throws Exception {
    fail(FIND, DOWN);
    fail(FIND, DOWN);
    time.advance(TERMS.coolDown());
    admitted(FIND).used(attempt(), DOWN);

    assertThat(told).extracting(Entrance.State::number).containsExactly(8L, 9L, 10L);
    assertThat(told.getFirst().cause()).isEqualTo(Entrance.Cause.of(DOWN));
    assertThat(told.getFirst().place()).isEqualTo("find");
  }

  @Test
  void whatAnotherProcessLeftIsInTheWay() throws Exception {
    Entrance.Cause cause = Entrance.Cause.of(DOWN);
    entrance.restore(FIND, Bar.FAILURES, Duration.ofSeconds(5), cause);
    entrance.restore(LIST, Bar.LIMIT, Duration.ofHours(1), cause);

    assertThat(refused(FIND).retryAfter()).isEqualTo(Duration.ofSeconds(5));
    assertThat(refused(LIST).reason()).isEqualTo(Reason.Stopped.RATE_LIMITED);
    assertThat(told).as("it was told before").isEmpty();

    time.advance(Duration.ofSeconds(5));
    assertThat(admitted(FIND)).as("the probe").isNotNull();
    assertThat(refused(FIND).why()).contains("another call is trying");
  }

  @Test
  void aResetForgetsWhatIsMeant() throws Exception {
    fail(FIND, DOWN);
    fail(FIND, DOWN);
    fail(LIST, new Failure.Limited(Duration.ofHours(1), "status 429"));

    entrance.reset("find");
    assertThat(admitted(FIND)).isNotNull();
    assertThat(refused(LIST)).isNotNull();

    entrance.reset(null);
    assertThat(admitted(LIST)).isNotNull();
    assertThat(told.getLast().state()).isEqualTo(Circuit.State.CLOSED);
  }

  private Gate gate(Entrance at, Entrance.Place place) {
    return at.gate(
        place,
        TIMEOUT,
        new Entrance.Waiting() {
          @Override
          public void await(Duration atMost) {
            throw new AssertionError("nobody has to wait here: " + atMost);
          }

          @Override
          public void wake() {}
        });
  }

  private void fail(Entrance.Place place, Failure failure) throws InterruptedException {
    admitted(place).used(attempt(), failure);
  }

  private Gate.Pass admitted(Entrance.Place place) throws InterruptedException {
    Gate.Admission admission = gate(entrance, place).enter(later());
    assertThat(admission).isInstanceOf(Gate.Admission.Admitted.class);
    return ((Gate.Admission.Admitted) admission).pass();
  }

  private Gate.Admission.Refused refused(Entrance.Place place) throws InterruptedException {
    Gate.Admission admission = gate(entrance, place).enter(later());
    assertThat(admission).isInstanceOf(Gate.Admission.Refused.class);
    return (Gate.Admission.Refused) admission;
  }

  private Deadline later() {
    return Deadline.after(Duration.ofMinutes(5), time);
  }

  private Attempt attempt() {
    return new Attempt(1, Deadline.after(TIMEOUT, time), TIMEOUT, Attempt.Limit.TOOL);
  }
}
