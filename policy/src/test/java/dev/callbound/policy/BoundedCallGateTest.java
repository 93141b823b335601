package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What stands between a call and its tool. */
class BoundedCallGateTest extends BoundedCallFixture {
  private static final Gate.Admission SHUT =
      new Gate.Admission.Refused(Reason.Stopped.CIRCUIT_OPEN, "its circuit is open", null);

  /** What was given back, in order: a failure's kind, "ok" or "unused". */
  private final List<String> passes = new ArrayList<>();

  @Test
  void aRefusalBeforeTheFirstAttemptCostsNothing() {
    gate = _ -> SHUT;

    assertThat(run(Effect.WRITE, Recognition.NONE))
        .isEqualTo(stopped(Reason.Stopped.CIRCUIT_OPEN, "its circuit is open", 0));
    assertThat(journal.entries()).hasSize(1);
    assertThat(budget.used()).isZero();
    assertThat(elapsed()).isZero();
  }

  @Test
  void aRefusalBetweenAttemptsGivesTheRetryBack() {
    upstream.fails(QUICK, NOT_SENT);
    gate = lettingIn(1);

    assertThat(run(Effect.READ, Recognition.NONE))
        .isEqualTo(
            stopped(Reason.Stopped.CIRCUIT_OPEN, "its circuit is open; connection refused", 1));
    assertThat(budget.used()).isZero();
    assertThat(passes).containsExactly("not_sent");
  }

  @Test
  void aRefusalDoesNotTakeDoubtAway() {
    upstream.fails(QUICK, BROKEN);
    gate = lettingIn(1);

    Outcome<String> outcome = run(Effect.WRITE, Recognition.KEY);

    assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
    assertThat(reason(outcome)).isEqualTo(Reason.Unknown.CONNECTION_LOST);
    assertThat(((Outcome.Unknown<String>) outcome).detail()).contains("its circuit is open");
    assertThat(budget.used()).isZero();
  }

  @Test
  void aRefusalOfACallThatFollowsAnUnknownOneLeavesItUnknown() {
    past = Past.unknown(Reason.Unknown.TIMED_OUT);
    gate = _ -> SHUT;

    assertThat(reason(run(Effect.WRITE, Recognition.KEY))).isEqualTo(Reason.Unknown.TIMED_OUT);
  }

  @Test
  void theWaitAtTheGateIsPartOfTheCall() {
    upstream.answers(QUICK, "done");
    call = Duration.ofSeconds(10);
    gate = waiting(Duration.ofSeconds(4));

    run(Effect.READ, Recognition.NONE);

    assertThat(journal.attempts().getFirst().attempt().deadline().atNanos() - begun)
        .isEqualTo(Duration.ofSeconds(5).toNanos());
    assertThat(elapsed()).isEqualTo(Duration.ofSeconds(4).plus(QUICK));
  }

  @Test
  void anAttemptWhoseTimeIsOverAtTheGateIsNotMade() {
    call = Duration.ofSeconds(10);
    gate = waiting(Duration.ofSeconds(10));

    assertThat(reason(run(Effect.READ, Recognition.NONE)))
        .isEqualTo(Reason.Stopped.DEADLINE_EXCEEDED);
    assertThat(passes).containsExactly("unused");
  }

  @Test
  void aCallThatIsCancelledAtTheGateIsNotMade() {
    gate =
        _ -> {
          throw new InterruptedException("cancelled");
        };

    assertThat(run(Effect.WRITE, Recognition.NONE))
        .isEqualTo(stopped(Reason.Stopped.CANCELLED, "cancelled while waiting for its turn", 0));
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void aPlaceIsFreeAgainWhereTheAttemptCannotBeRecorded() {
    gate = lettingIn(1);
    journal.leaveRoomFor(0);

    BoundedCall<String> call = newCall(Effect.WRITE, Recognition.NONE, upstream);

    assertThatThrownBy(call::run).isInstanceOf(RecordingJournal.DiskFull.class);
    assertThat(passes).containsExactly("unused");
  }

  @Test
  void whatTheAttemptBroughtIsToldAtTheGate() {
    upstream.fails(QUICK, ERROR_500).answers(QUICK, "done");
    gate = lettingIn(2);

    run(Effect.READ, Recognition.NONE);

    assertThat(passes).containsExactly("server_error", "ok");
  }

  private Gate lettingIn(int many) {
    var left = new int[] {many};
    return _ -> left[0]-- > 0 ? new Gate.Admission.Admitted(new Counted()) : SHUT;
  }

  private Gate waiting(Duration wait) {
    return _ -> {
      time.sleep(wait);
      return new Gate.Admission.Admitted(new Counted());
    };
  }

  private final class Counted implements Gate.Pass {
    @Override
    public void used(Attempt attempt, @Nullable Failure failure) {
      passes.add(failure == null ? "ok" : failure.kind());
    }

    @Override
    public void unused() {
      passes.add("unused");
    }
  }
}
