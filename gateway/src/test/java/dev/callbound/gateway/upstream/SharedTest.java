package dev.callbound.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SharedTest {
  private final Shared<String> shared = new Shared<>("test");
  private final AtomicInteger made = new AtomicInteger();
  private final CountDownLatch go = new CountDownLatch(1);

  @Test
  void allWhoWaitGetTheOneThatIsMade() throws Exception {
    List<FutureTask<Reply<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiting.add(start(slow("made")));
    }
    go.countDown();
    for (FutureTask<Reply<String>> one : waiting) {
      assertThat(one.get()).isEqualTo(new Reply.Answered<>("made"));
    }
    assertThat(made).hasValue(1);
    assertThat(shared.current()).isEqualTo("made");
  }

  @Test
  void whoeverGivesUpWaitingDoesNotEndTheMaking() throws Exception {
    FutureTask<Reply<String>> patient = start(slow("made"));
    FutureTask<Reply<String>> task = new FutureTask<>(() -> shared.obtain(slow("other")));
    Thread hasty = Thread.ofVirtual().start(task);
    hasty.interrupt();
    assertThat(hasty.join(Duration.ofSeconds(5))).isTrue();
    go.countDown();
    assertThat(patient.get()).isEqualTo(new Reply.Answered<>("made"));
  }

  @Test
  void aFailureIsNotRemembered() throws Exception {
    Reply<String> failed = Reply.failed(new Failure.NotSent("no"));
    assertThat(shared.obtain(() -> failed)).isEqualTo(failed);
    assertThat(shared.obtain(() -> new Reply.Answered<>("yes")))
        .isEqualTo(new Reply.Answered<>("yes"));
  }

  @Test
  void onlyTheCurrentOneIsDropped() throws Exception {
    go.countDown();
    assertThat(start(slow("made")).get(5, TimeUnit.SECONDS)).isNotNull();
    shared.drop("older");
    assertThat(shared.current()).isEqualTo("made");
    shared.drop("made");
    assertThat(shared.current()).isNull();
  }

  @Test
  void aMakingThatThrowsFailsTheWaitingAndNotTheNext() throws Exception {
    FutureTask<Reply<String>> failing =
        start(
            () -> {
              throw new IllegalArgumentException("a bug");
            });
    assertThat(failing)
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableThat()
        .havingRootCause()
        .withMessage("a bug");
    assertThat(shared.obtain(() -> new Reply.Answered<>("yes"))).isNotNull();
  }

  private FutureTask<Reply<String>> start(Supplier<Reply<String>> making) {
    FutureTask<Reply<String>> task = new FutureTask<>(() -> shared.obtain(making));
    Thread.ofVirtual().start(task);
    return task;
  }

  private Supplier<Reply<String>> slow(String value) {
    return () -> {
      made.incrementAndGet();
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new Reply.Answered<>(value);
    };
  }
}
