package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WriteAttemptTest {
  @Test
  void anAttemptThatDoesNotLetGoMayHaveBeenSent() {
    Live live = new Live(Live.Asker.NOBODY, AttemptsTest.CALLER, 1_000, Map.of());
    Deadline soon = Deadline.after(Duration.ofMillis(100), new Cancellation());
    CountDownLatch released = new CountDownLatch(1);

    Reply<Json> reply =
        new WriteAttempt(new Patience(live, soon, null, System.nanoTime()), false)
            .make(() -> deaf(released));
    released.countDown();

    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.TimedOut.class));
  }

  private static Reply<Json> deaf(CountDownLatch released) {
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
