package dev.callbound.policy.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ScriptedUpstreamTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final SimulatedTime time = new SimulatedTime();
  private final ScriptedUpstream<String> upstream = new ScriptedUpstream<>(time);

  @Test
  void playsItsScriptLineByLineAndRepeatsTheLast() {
    upstream.fails(Duration.ofMillis(10), new Failure.Broken("reset"));
    upstream.answers(Duration.ofMillis(20), "result");

    assertThat(attempt()).isEqualTo(Reply.failed(new Failure.Broken("reset")));
    assertThat(attempt()).isEqualTo(new Reply.Answered<>("result"));
    assertThat(attempt()).isEqualTo(new Reply.Answered<>("result"));
    assertThat(time.nanos()).isEqualTo(Duration.ofMillis(50).toNanos());
    assertThat(upstream.attempts()).hasSize(3);
  }

  @Test
  void whatTakesTooLongTimesOutAtTheDeadline() {
    upstream.hangs();

    assertThat(attempt())
        .isEqualTo(Reply.failed(new Failure.TimedOut(SECOND, Failure.TimedOut.Timer.DEADLINE)));
    assertThat(time.nanos()).isEqualTo(SECOND.toNanos());
  }

  @Test
  void aCancellationEndsAnAttemptAtThatInstant() {
    upstream.hangs();
    time.after(Duration.ofMillis(300), time::cancel);

    assertThat(attempt())
        .isEqualTo(Reply.failed(new Failure.Cancelled(Failure.Cancelled.By.CLIENT, true)));
    assertThat(time.nanos()).isEqualTo(Duration.ofMillis(300).toNanos());
  }

  @Test
  void afterACancellationNothingIsSent() {
    upstream.answers(Duration.ZERO, "result");
    time.cancel();

    assertThat(attempt())
        .isEqualTo(Reply.failed(new Failure.Cancelled(Failure.Cancelled.By.CLIENT, false)));
  }

  @Test
  void checksFindWhatIsScriptedAndThenNothingClear() {
    upstream.finds(new Finding.Absent<>());
    Deadline by = Deadline.after(SECOND, time);

    assertThat(upstream.check(by)).isEqualTo(new Finding.Absent<>());
    assertThat(upstream.check(by)).isInstanceOf(Finding.Unclear.class);
  }

  @Test
  void anEmptyScriptSaysSo() {
    assertThatThrownBy(this::attempt).hasMessageContaining("the script is empty");
  }

  private Reply<String> attempt() {
    return upstream.attempt(
        new Attempt(1, Deadline.after(SECOND, time), SECOND, Attempt.Limit.TOOL));
  }
}
