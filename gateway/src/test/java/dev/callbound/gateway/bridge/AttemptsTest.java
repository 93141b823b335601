package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ways of making an attempt keep the same promises. */
@ParameterizedClass
@EnumSource(Effect.class)
class AttemptsTest {
  static final Exchange.Caller CALLER =
      new Exchange.Caller(Revision.V2025_11_25, JsonObject.EMPTY, JsonObject.EMPTY);

  private static final Json ANSWER = Json.text("answer");
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final Cancellation cancellation = new Cancellation();

  @Parameter
  @SuppressWarnings("NullAway.Init") // Set by JUnit before each test.
  private Effect effect;

  @AfterEach
  void noInterruptIsLeftOver() {
    assertThat(Thread.interrupted()).as("the interrupt flag is up").isFalse();
  }

  @Test
  void theAnswerOfTheWireIsTheReply() {
    assertThat(attempt(LONG, null, live -> new Reply.Answered<>(ANSWER)))
        .isEqualTo(new Reply.Answered<>(ANSWER));
  }

  @Test
  void theDeadlineEndsAnAttemptThatWasSentAsTimedOut() {
    Failure failure = failure(attempt(SHORT, null, live -> hang(live, true)));

    assertThat(failure)
        .isInstanceOfSatisfying(
            Failure.TimedOut.class,
            timedOut -> {
              assertThat(timedOut.timer()).isEqualTo(Failure.TimedOut.Timer.DEADLINE);
              assertThat(timedOut.waited()).isGreaterThanOrEqualTo(SHORT);
            });
  }

  @Test
  void theDeadlineEndsAnAttemptThatWasNotSentAsNotSent() {
    assertThat(failure(attempt(SHORT, null, live -> hang(live, false))))
        .isInstanceOf(Failure.NotSent.class);
  }

  @Test
  void silenceEndsAnAttemptBeforeItsDeadline() {
    assertThat(failure(attempt(LONG, SHORT, live -> hang(live, true))))
        .isInstanceOfSatisfying(
            Failure.TimedOut.class,
            timedOut -> assertThat(timedOut.timer()).isEqualTo(Failure.TimedOut.Timer.STALL));
  }

  @Test
  void progressEndsASilenceAndALogLineDoesNot() {
    Duration stall = Duration.ofSeconds(1);
    Reply<Json> withProgress =
        attempt(LONG, stall, live -> afterSigns(live, () -> live.progress(JsonObject.EMPTY)));
    Reply<Json> withLifeOnly = attempt(LONG, stall, live -> afterSigns(live, live::signOfLife));

    assertThat(withProgress).isEqualTo(new Reply.Answered<>(ANSWER));
    assertThat(failure(withLifeOnly)).isInstanceOf(Failure.TimedOut.class);
  }

  /** Works for twice as long as silence is allowed, and gives a sign every tenth of that. */
  private static Reply<Json> afterSigns(Live live, Runnable sign) {
    live.sent();
    CountDownLatch never = new CountDownLatch(1);
    try {
      for (int i = 0; i < 20; i++) {
        never.await(100, TimeUnit.MILLISECONDS);
        sign.run();
      }
      return new Reply.Answered<>(ANSWER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Reply.failed(new Failure.Broken("interrupted"));
    }
  }

  @Test
  void aPersonsTimeIsNoSilence() {
    Live.Asker slow =
        new Live.Asker() {
          @Override
          public void progress(JsonObject params) {}

          @Override
          public void say(Message.Notification notification) {}

          @Override
          public Map<String, Message.Response> ask(Map<String, Message.Request> questions)
              throws InterruptedException {
            new CountDownLatch(1).await(1, TimeUnit.SECONDS);
            return Map.of();
          }
        };
    Reply<Json> reply =
        attempt(
            LONG,
            SHORT,
            slow,
            live -> {
              live.sent();
              try {
                live.ask(Map.of());
                return new Reply.Answered<>(ANSWER);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Reply.failed(new Failure.Broken("interrupted"));
              }
            });

    assertThat(reply).isEqualTo(new Reply.Answered<>(ANSWER));
  }

  @Test
  void aCancelledAttemptSaysWhoAndWhetherItWasSent() {
    for (boolean sent : new boolean[] {true, false}) {
      Cancellation cancelled = new Cancellation();
      cancelled.begin();
      Attempts attempts =
          new Attempts(
              effect,
              () -> new Live(Live.Asker.NOBODY, CALLER, 1_000, Map.of()),
              live -> {
                if (sent) {
                  live.sent();
                }
                cancelled.cancel(Failure.Cancelled.By.RUN);
                return hang(live, sent);
              },
              cancelled,
              null);

      Reply<Json> reply = attempts.attempt(attempt(LONG));

      assertThat(Thread.interrupted()).as("the interrupt flag is up").isTrue();
      assertThat(failure(reply)).isEqualTo(new Failure.Cancelled(Failure.Cancelled.By.RUN, sent));
      cancelled.end();
    }
  }

  @Test
  void ofACallThatNobodyWaitsForNothingMoreIsSent() {
    List<Live> lives = new ArrayList<>();
    List<Attempts> made = new ArrayList<>();
    Attempts attempts =
        new Attempts(
            effect,
            () -> new Live(Live.Asker.NOBODY, CALLER, 1_000, Map.of()),
            live -> {
              lives.add(live);
              if (lives.size() == 1) {
                assertThat(live.isOver()).isFalse();
                made.getFirst().abandon();
              }
              assertThat(live.isOver()).isTrue();
              return new Reply.Answered<>(ANSWER);
            },
            cancellation,
            null);
    made.add(attempts);

    // An assertion that fails becomes a failure of the attempt.
    assertThat(attempts.attempt(attempt(LONG))).isEqualTo(new Reply.Answered<>(ANSWER));
    assertThat(attempts.attempt(attempt(LONG))).isEqualTo(new Reply.Answered<>(ANSWER));
  }

  @Test
  void aCallThatWasCancelledBeforeSendsNothing() {
    cancellation.begin();
    cancellation.cancel(Failure.Cancelled.By.CLIENT);

    Reply<Json> reply =
        attempt(
            LONG,
            null,
            live -> {
              live.sent();
              return new Reply.Answered<>(ANSWER);
            });

    assertThat(Thread.interrupted()).as("the interrupt flag is up").isTrue();
    assertThat(failure(reply)).isEqualTo(new Failure.Cancelled(Failure.Cancelled.By.CLIENT, false));
  }

  @Test
  void aCancellationThatMeetsTheDeadlineLeavesItsInterrupt() {
    cancellation.begin();

    Reply<Json> reply =
        attempt(
            SHORT,
            null,
            live -> {
              Reply<Json> interrupted = hang(live, true);
              cancellation.cancel(Failure.Cancelled.By.RUN);
              return interrupted;
            });

    assertThat(Thread.interrupted()).as("the interrupt flag is up").isTrue();
    assertThat(reply).isInstanceOf(Reply.Failed.class);
  }

  @Test
  void aDeadlineThatMeetsTheAnswerLeavesNoInterrupt() {
    Duration instant = Duration.ofNanos(50_000);
    for (int i = 0; i < 2_000; i++) {
      long end = System.nanoTime() + instant.toNanos();
      Reply<Json> reply =
          attempt(
              instant,
              null,
              live -> {
                live.sent();
                while (System.nanoTime() - end < 0) {
                  Thread.onSpinWait();
                }
                return new Reply.Answered<>(ANSWER);
              });

      assertThat(Thread.interrupted()).as("the interrupt flag is up").isFalse();
      assertThat(reply)
          .satisfiesAnyOf(
              answered -> assertThat(answered).isEqualTo(new Reply.Answered<>(ANSWER)),
              late -> assertThat(failure(late)).isInstanceOf(Failure.TimedOut.class));
    }
  }

  @Test
  void anAnswerThatComesAsTheTimeEndsCounts() {
    assertThat(
            attempt(
                SHORT,
                null,
                live -> {
                  hang(live, true);
                  return new Reply.Answered<>(ANSWER);
                }))
        .isEqualTo(new Reply.Answered<>(ANSWER));
  }

  @Test
  void anUnexpectedErrorLeavesEvidence() {
    assertThat(
            failure(
                attempt(
                    LONG,
                    null,
                    live -> {
                      throw new IllegalStateException("a bug");
                    })))
        .isInstanceOf(Failure.NotSent.class);
    assertThat(
            failure(
                attempt(
                    LONG,
                    null,
                    live -> {
                      live.sent();
                      throw new StackOverflowError();
                    })))
        .isInstanceOf(Failure.Broken.class);
  }

  private static Reply<Json> hang(Live live, boolean sent) {
    if (sent) {
      live.sent();
    }
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Reply.failed(new Failure.Broken("interrupted"));
  }

  private Reply<Json> attempt(Duration timeout, @Nullable Duration stall, Attempts.Wire wire) {
    return attempt(timeout, stall, Live.Asker.NOBODY, wire);
  }

  private Reply<Json> attempt(
      Duration timeout, @Nullable Duration stall, Live.Asker asker, Attempts.Wire wire) {
    Attempts attempts =
        new Attempts(
            effect, () -> new Live(asker, CALLER, 1_000, Map.of()), wire, cancellation, stall);
    return attempts.attempt(attempt(timeout));
  }

  private Attempt attempt(Duration timeout) {
    return new Attempt(1, Deadline.after(timeout, cancellation), timeout, Attempt.Limit.TOOL);
  }

  private static Failure failure(Reply<Json> reply) {
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    return ((Reply.Failed<Json>) reply).failure();
  }
}
