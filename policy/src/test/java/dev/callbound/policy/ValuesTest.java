package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that can't be invalid: failures, replies, outcomes, decisions, circumstances. */
final class ValuesTest {
  @Test
  void everyKindOfFailureHasANameOfItsOwnInTheRecord() {
    var kinds = Failures.all().map(Failure::kind).distinct().toList();

    assertThat(kinds).hasSameSizeAs(Failure.class.getPermittedSubclasses());
    assertThat(kinds).allMatch(kind -> kind.matches("[a-z_]+"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureSaysInOneLineWhatHappened(Failure failure) {
    assertThat(failure.detail()).isNotBlank().doesNotContain("\n");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatMayHaveRunHasAReasonForTheDoubtAndNothingElseHas(Failure failure) {
    if (failure.mayHaveRun()) {
      assertThatCode(() -> Classifier.doubt(failure)).doesNotThrowAnyException();
    } else if (!(failure instanceof Failure.ToolError || failure instanceof Failure.Cancelled)) {
      assertThatThrownBy(() -> Classifier.doubt(failure))
          .hasMessage("leaves no doubt: " + failure.kind());
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anAnswerComesWithAToolErrorAndWithNothingElse(Failure failure) {
    boolean toolError = failure instanceof Failure.ToolError;
    if (toolError) {
      assertThatThrownBy(() -> Reply.failed(failure)).hasMessageContaining("tool_error");
      assertThatCode(() -> new Reply.Failed<>(failure, "sorry")).doesNotThrowAnyException();
    } else {
      assertThatCode(() -> Reply.failed(failure)).doesNotThrowAnyException();
      assertThatThrownBy(() -> new Reply.Failed<>(failure, "sorry"))
          .hasMessage("an answer comes with a tool error and with nothing else: " + failure.kind());
    }
  }

  @Test
  void aNamedWaitIsMoreThanZero() {
    for (Duration wait : new Duration[] {Duration.ZERO, Duration.ofSeconds(-5)}) {
      assertThatThrownBy(() -> new Failure.Limited(wait, "429"))
          .hasMessage("retryAfter must be positive: " + wait);
      assertThatThrownBy(() -> new Failure.ToolError(429, wait))
          .hasMessage("retryAfter must be positive: " + wait);
    }
  }

  @Test
  void aWrappedStatusIsAnError() {
    for (int status : new int[] {0, 200, 399, 600}) {
      assertThatThrownBy(() -> new Failure.ToolError(status, null))
          .hasMessage("status must be from 400 to 599: " + status);
    }
  }

  @Test
  void tooLargeIsOverTheLimit() {
    assertThatThrownBy(() -> new Failure.TooLarge(10, 10))
        .hasMessage("bytes must be over the limit 10: 10");
    assertThat(new Failure.TooLarge(11, 10).detail()).contains("11").contains("10");
  }

  @Test
  void aTimeoutSaysWhichTimerFired() {
    var waited = Duration.ofSeconds(1);
    assertThat(new Failure.TimedOut(waited, Failure.TimedOut.Timer.DEADLINE).detail())
        .isEqualTo("no answer within 1000 ms");
    assertThat(new Failure.TimedOut(waited, Failure.TimedOut.Timer.STALL).detail())
        .contains("no progress");
    assertThatThrownBy(
            () -> new Failure.TimedOut(waited.negated(), Failure.TimedOut.Timer.DEADLINE))
        .hasMessage("waited must not be negative: PT-1S");
  }

  @Test
  void anOutcomeCountsItsAttempts() {
    assertThatThrownBy(() -> new Outcome.Ok<>("result", -1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new Outcome.Unknown<>(Reason.Unknown.TIMED_OUT, "detail", -1))
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> new Outcome.Stopped<>(Reason.Stopped.REFUSED, "detail", -1, "answer"))
        .hasMessageContaining("-1");
    assertThat(new Outcome.Ok<>("found by a check", 0).attempts()).isZero();
    assertThat(new Outcome.Stopped<String>(Reason.Stopped.DENIED, "detail", 0, null).attempts())
        .isZero();
  }

  @Test
  void aPauseComesWithARetryAndWithNothingElse() {
    for (Decision.Action action : Decision.Action.values()) {
      boolean retry = action == Decision.Action.RETRY;
      assertThatThrownBy(() -> new Decision(action, retry ? null : Duration.ZERO, "why"))
          .hasMessageContaining(action.name());
    }
    assertThatThrownBy(() -> Decision.retry(Duration.ofMillis(-1), "why"))
        .hasMessage("pause must not be negative: PT-0.001S");
  }

  @Test
  void aPastHoldsTogether() {
    assertThatThrownBy(() -> Past.died(-1, null, false, null)).hasMessageContaining("-1");
    assertThatThrownBy(() -> Past.died(0, null, false, new Failure.WorkerDied()))
        .hasMessage("an attempt that is pending is one of the attempts: worker_died");
    assertThatThrownBy(() -> Past.died(1, null, false, Failure.ToolError.PLAIN))
        .hasMessage("a pending attempt has no answer: tool_error");
    assertThat(Past.died(0, null, false, null)).isEqualTo(Past.NOTHING);
  }

  @Test
  void aReadIsNeverInDoubt() {
    assertThatThrownBy(
            () -> new Circumstances(Effect.READ, Recognition.NONE, Reason.Unknown.TIMED_OUT, false))
        .hasMessage("a read is never in doubt: timed_out");
    var read = Circumstances.initial(Effect.READ, Recognition.NONE);
    assertThat(read.after(new Failure.Broken("reset"))).isEqualTo(read);
  }

  @Test
  void theFirstDoubtStays() {
    var doubtful =
        Circumstances.initial(Effect.WRITE, Recognition.KEY)
            .after(new Failure.NotSent("refused"))
            .after(new Failure.Broken("reset"))
            .after(new Failure.Garbled("<html>"))
            .after(new Failure.Refused(403, "no"));
    assertThat(doubtful.doubt()).isEqualTo(Reason.Unknown.CONNECTION_LOST);
    assertThat(doubtful.withoutDoubt().doubt()).isNull();
  }

  @Test
  void theCodesOfReasonsAreTheirNamesInTheRecord() {
    assertThat(Reason.Stopped.RETRY_BUDGET_SPENT.code()).isEqualTo("retry_budget_spent");
    assertThat(Reason.Unknown.CANCELLED_IN_FLIGHT.code()).isEqualTo("cancelled_in_flight");
  }

  static Stream<Failure> failures() {
    return Failures.all();
  }
}
