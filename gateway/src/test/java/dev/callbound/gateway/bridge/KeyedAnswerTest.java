package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyedAnswerTest {
  private static final Reply<Json> DONE = new Reply.Answered<>(Json.TRUE);

  private final Live live =
      new Live(Live.Asker.NOBODY, Dialect.gateway(Revision.V2026_07_28), Long.MAX_VALUE, Map.of());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "409 | ''",
        "409 | a request with this key is in progress",
        "409 | Conflict",
        "409 | the request is still being processed",
        "-32000 | idempotency key in progress"
      })
  void aServerThatIsStillAtItIsAskedUntilItAnswers(int code, String detail) {
    assertThat(sent(List.of(refused(code, detail), refused(code, detail), DONE))).isEqualTo(DONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "422 | this idempotency key was used with another payload",
        "422 | Idempotency-Key is invalid",
        "400 | idempotency_conflict",
        "409 | key already used with different parameters",
        "-32602 | the key was reused for other arguments"
      })
  void aKeyThatWasUsedForSomethingElseIsAConflict(int code, String detail) {
    assertThat(sent(List.of(refused(code, detail))))
        .isEqualTo(Reply.failed(new Failure.KeyConflict(detail)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "409 | a customer with this mail already exists",
        "409 | stale version",
        "422 | the title is too long",
        "400 | the body is still missing",
        "403 | this key has no access",
        "404 | no such key",
        "-32602 | title: required"
      })
  void anyOtherRefusalIsOne(int code, String detail) {
    assertThat(sent(List.of(refused(code, detail)))).isEqualTo(refused(code, detail));
  }

  @Test
  void whatIsNoRefusalIsPassedOn() {
    Reply<Json> failed = Reply.failed(new Failure.ServerError(500, "key in progress"));

    assertThat(sent(List.of(failed))).isEqualTo(failed);
    assertThat(sent(List.of(DONE))).isEqualTo(DONE);
  }

  @Test
  void askingEndsWithTheAttempt() {
    Thread.currentThread().interrupt();

    Reply<Json> reply = sent(List.of(refused(409, "in progress")));

    assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.Broken.class));
  }

  /** It said that it is at it: that it can't be reached then does not undo that. */
  @Test
  void whatTheServerIsAtHasArrived() {
    Reply<Json> reply =
        sent(List.of(refused(409, "in progress"), Reply.failed(new Failure.NotSent("refused"))));

    assertThat(reply)
        .isEqualTo(Reply.failed(new Failure.Broken("after the server had it: refused")));
    assertThat(live.wasSent()).isTrue();
  }

  private Reply<Json> sent(List<Reply<Json>> replies) {
    Deque<Reply<Json>> left = new ArrayDeque<>(replies);
    Reply<Json> reply = KeyedAnswer.send(left::removeFirst, live);
    assertThat(left).as("answers that were not asked for").isEmpty();
    return reply;
  }

  private static Reply<Json> refused(int code, String detail) {
    return Reply.failed(new Failure.Refused(code, detail));
  }
}
