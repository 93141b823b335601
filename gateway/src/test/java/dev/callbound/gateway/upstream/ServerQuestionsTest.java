package dev.callbound.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class ServerQuestionsTest {
  private final BlockingQueue<Message.Response> answers = new LinkedBlockingQueue<>();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  @Test
  void aPingIsAnsweredWhileAPersonThinks() throws Exception {
    try (ServerQuestions questions = new ServerQuestions(thinking(), answers::add)) {
      questions.asked(question("1", "elicitation/create"));
      asked.await();
      questions.asked(question("2", "ping"));
      assertThat(answers.poll(5, TimeUnit.SECONDS))
          .isEqualTo(new Message.Result(Json.of("2"), Json.of("{}")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"roots/list", "sampling/createMessage", "elicitation/create"})
  void aQuestionIsPutToTheClientAndItsAnswerGoesBackUnderTheServersId(String method)
      throws Exception {
    RecordingExchange exchange =
        new RecordingExchange()
            .client(question -> new Message.Result(Json.of("\"other\""), Json.of("{\"a\":1}")));
    try (ServerQuestions questions = new ServerQuestions(exchange, answers::add)) {
      questions.asked(question("\"q\"", method));
      assertThat(answers.poll(5, TimeUnit.SECONDS))
          .isEqualTo(new Message.Result(Json.of("\"q\""), Json.of("{\"a\":1}")));
    }
  }

  @Test
  void anythingElseIsUnknown() throws Exception {
    try (ServerQuestions questions = new ServerQuestions(new RecordingExchange(), answers::add)) {
      questions.asked(question("1", "tools/call"));
      assertThat(answers.poll(5, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              Message.ErrorResponse.class,
              answer -> assertThat(answer.error().code()).isEqualTo(RpcError.METHOD_NOT_FOUND));
    }
  }

  @Test
  void whenTheRequestEndsNobodyIsAskedOrAnsweredAnyMore() throws Exception {
    ServerQuestions questions = new ServerQuestions(thinking(), answers::add);
    questions.asked(question("1", "elicitation/create"));
    asked.await();
    questions.close();
    assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(answers.poll(50, TimeUnit.MILLISECONDS)).isNull();
  }

  @Test
  void theServerMayWithdrawItsQuestion() throws Exception {
    try (ServerQuestions questions = new ServerQuestions(thinking(), answers::add)) {
      questions.asked(question("1", "elicitation/create"));
      asked.await();
      questions.withdrawn(Json.of("1"));
      assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(answers.poll(50, TimeUnit.MILLISECONDS)).isNull();
  }

  @Test
  void withoutAClientOnlyAPingHasAnAnswer() {
    assertThat(ServerQuestions.withoutClient(question("1", "ping")))
        .isInstanceOf(Message.Result.class);
    assertThat(ServerQuestions.withoutClient(question("1", "roots/list")))
        .isInstanceOf(Message.ErrorResponse.class);
  }

  /** A client that never answers. */
  private RecordingExchange thinking() {
    return new RecordingExchange()
        .client(
            question -> {
              asked.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException _) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
              }
              return new Message.Result(question.id(), Json.of("{}"));
            });
  }

  private static Message.Request question(String id, String method) {
    return new Message.Request(Json.of(id), method, JsonObject.EMPTY);
  }
}
