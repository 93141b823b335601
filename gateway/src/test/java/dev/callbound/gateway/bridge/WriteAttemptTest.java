package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WriteAttemptTest {
  private final CountDownLatch released = new CountDownLatch(1);
  private final Live live = new Live(Live.Asker.NOBODY, AttemptsTest.CALLER, 1_000, Map.of());

  @Test
  void anAttemptThatDoesNotLetGoMayHaveBeenSent() {
    WriteAttempt attempt = attempt(false);

    assertTimedOut(attempt.make(this::deaf));

    assertThat(live.wasSent()).isTrue();
    assertThat(attempt.pending()).isNull();
    released.countDown();
  }

  @Test
  void anAttemptThatIsListenedToGoesOnUntilItIsAnswered() throws Exception {
    WriteAttempt attempt = attempt(true);

    assertTimedOut(
        attempt.make(
            () -> {
              live.sent();
              return deaf();
            }));
    WriteAttempt.Pending pending = Objects.requireNonNull(attempt.pending());
    released.countDown();

    assertThat(pending.reply().get(10, TimeUnit.SECONDS))
        .isEqualTo(new Reply.Answered<>(Json.TRUE));
  }

  @Test
  void anAttemptThatWasNotSentDoesNotGoOn() {
    WriteAttempt attempt = attempt(true);

    Reply<Json> reply =
        attempt.make(
            () -> {
              try {
                released.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return Reply.failed(new Failure.NotSent("interrupted"));
            });

    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.NotSent.class));
    assertThat(attempt.pending()).isNull();
  }

  @Test
  void anAttemptThatIsLetGoSendsNothingMore() {
    AtomicBoolean over = new AtomicBoolean();

    attempt(false)
        .make(
            () -> {
              try {
                released.await();
              } catch (InterruptedException e) {
                over.set(live.isOver());
              }
              return Reply.failed(new Failure.NotSent("interrupted"));
            });

    assertThat(over).isTrue();
  }

  private WriteAttempt attempt(boolean listensOn) {
    Deadline soon = Deadline.after(Duration.ofMillis(100), new Cancellation());
    return new WriteAttempt(new Patience(live, soon, null, System.nanoTime()), listensOn);
  }

  private static void assertTimedOut(@Nullable Reply<Json> reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.TimedOut.class));
  }

  private Reply<Json> deaf() {
    while (true) {
      try {
        released.await();
        return new Reply.Answered<>(Json.TRUE);
      } catch (InterruptedException e) {
        // What it is told does not reach it.
      }
    }
  }
}
