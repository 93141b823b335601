package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Circuit.Sign;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlameTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Attempt WHOLE = attempt(TIMEOUT);

  @Test
  void whatTheDependencyDidCountsAgainstIt() {
    assertThat(
            List.of(
                new Failure.NotSent("refused"),
                new Failure.ServerError(500, "500"),
                new Failure.TimedOut(TIMEOUT, Failure.TimedOut.Timer.DEADLINE),
                new Failure.TimedOut(TIMEOUT, Failure.TimedOut.Timer.STALL),
                new Failure.Broken("reset"),
                new Failure.Garbled("not JSON")))
        .allMatch(failure -> Blame.onTool(WHOLE, failure, TIMEOUT) == Sign.FAILED);
  }

  @Test
  void whoeverSaysNoIsThere() {
    assertThat(
            List.of(
                new Failure.Refused(403, "403"),
                new Failure.Refused(-32602, "invalid params"),
                new Failure.KeyConflict("other arguments"),
                new Failure.Limited(null, "429"),
                Failure.ToolError.PLAIN,
                new Failure.ToolError(503, null),
                new Failure.TooLarge(2, 1)))
        .allMatch(failure -> Blame.onTool(WHOLE, failure, TIMEOUT) == Sign.WORKED);
    assertThat(Blame.onTool(WHOLE, null, TIMEOUT)).isEqualTo(Sign.WORKED);
  }

  @Test
  void whatWeDidOurselvesSaysNothing() {
    assertThat(
            List.of(
                new Failure.Cancelled(Failure.Cancelled.By.CLIENT, true),
                new Failure.Unsafe("169.254.169.254"),
                new Failure.WorkerDied()))
        .allMatch(failure -> Blame.onTool(WHOLE, failure, TIMEOUT) == Sign.NONE)
        .allMatch(failure -> Blame.onCredentials(failure) == Sign.NONE);
  }

  @Test
  void aTimeoutSaysNothingWhereTheAttemptHadLessThanHalfOfItsTime() {
    Failure timedOut = new Failure.TimedOut(Duration.ofSeconds(4), Failure.TimedOut.Timer.DEADLINE);

    assertThat(Blame.onTool(attempt(Duration.ofMillis(4_999)), timedOut, TIMEOUT))
        .isEqualTo(Sign.NONE);
    assertThat(Blame.onTool(attempt(Duration.ofSeconds(5)), timedOut, TIMEOUT))
        .isEqualTo(Sign.FAILED);
  }

  @Test
  void a401AloneIsAboutCredentials() {
    assertThat(Blame.onCredentials(new Failure.Refused(401, "401"))).isEqualTo(Sign.FAILED);
    assertThat(Blame.onCredentials(new Failure.Refused(403, "403"))).isEqualTo(Sign.WORKED);
    assertThat(Blame.onCredentials(new Failure.ToolError(401, null))).isEqualTo(Sign.WORKED);
    assertThat(Blame.onCredentials(null)).isEqualTo(Sign.WORKED);
    assertThat(Blame.onCredentials(new Failure.ServerError(503, "503"))).isEqualTo(Sign.NONE);
  }

  @Test
  void aWaitIsWhatAProviderNamed() {
    Duration wait = Duration.ofSeconds(3);
    assertThat(Blame.wait(new Failure.Limited(wait, "429"))).isEqualTo(wait);
    assertThat(Blame.wait(new Failure.ToolError(429, wait))).isEqualTo(wait);
    assertThat(Blame.wait(new Failure.Limited(null, "429"))).isNull();
    assertThat(Blame.wait(new Failure.ToolError(503, wait))).isNull();
  }

  private static Attempt attempt(Duration timeout) {
    return new Attempt(1, new Deadline(timeout.toNanos()), timeout, Attempt.Limit.TOOL);
  }
}
