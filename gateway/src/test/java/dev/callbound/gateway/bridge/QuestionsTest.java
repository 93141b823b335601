package dev.callbound.gateway.bridge;

import static dev.callbound.gateway.bridge.Sessions.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class QuestionsTest {
  private static final Message.Request ELICITATION =
      new Message.Request(Json.number(7), "elicitation/create", object("{\"message\": \"ok?\"}"));
  private static final Message.Request ROOTS =
      new Message.Request(Json.text("r"), "roots/list", JsonObject.EMPTY);
  private static final Json YES = Json.of("{\"action\":\"accept\"}");

  private final Talk talk = Sessions.talk("tools/call", "{\"name\": \"x\"}");
  private final Questions.Parked parked = new Questions.Parked();

  @Test
  void aClientWithASessionIsAskedByARequest() throws Exception {
    Session session = Sessions.of(Revision.V2025_11_25, "{\"elicitation\": {}}", null);
    var answers = asking(session, Map.of("q", ELICITATION));
    Message.Request put = (Message.Request) Sessions.next(talk);
    session.answered(new Message.Result(put.id(), YES));

    assertThat(put.method()).isEqualTo("elicitation/create");
    assertThat(put.params()).isEqualTo(ELICITATION.params());
    assertThat(put.id()).isNotEqualTo(ELICITATION.id());
    assertThat(answers.join()).isEqualTo(Map.of("q", new Message.Result(Json.number(7), YES)));
  }

  @Test
  void aClientWithoutASessionIsAskedByAResultAndComesBack() throws Exception {
    Session session = Sessions.of(Revision.V2026_07_28, "{\"elicitation\": {}}", null);
    var answers = asking(session, Map.of("q", ELICITATION));
    Json asked = ((Message.Result) Sessions.next(talk)).result();
    String state = asked.textAt("requestState");

    assertThat(asked.textAt("resultType")).isEqualTo("input_required");
    assertThat(asked.textAt("inputRequests", "q", "method")).isEqualTo("elicitation/create");
    assertThat(asked.textAt("inputRequests", "q", "params", "message")).isEqualTo("ok?");
    assertThat(state).startsWith(Questions.STATE);
    assertThat(parked.take(state, "somebody else")).isNull();
    Questions waiting = parked.take(state, "local");
    assertThat(parked.take(state, "local")).isNull();
    Talk again = Sessions.talk("tools/call", "{\"name\": \"x\"}");
    waiting.resume(again, JsonObject.of("q", YES));

    assertThat(answers.join()).isEqualTo(Map.of("q", new Message.Result(Json.number(7), YES)));
    assertThat(waiting.talk()).isSameAs(again);
  }

  @Test
  void aQuestionThatTheClientLeftOutHasNoAnswer() throws Exception {
    Session session = Sessions.of(Revision.V2026_07_28, "{\"elicitation\": {}}", null);
    var answers = asking(session, Map.of("q", ELICITATION));
    String state = ((Message.Result) Sessions.next(talk)).result().textAt("requestState");
    parked.take(state, "local").resume(Sessions.talk("tools/call", "{}"), JsonObject.EMPTY);

    assertThat(answers.join()).isEmpty();
  }

  @Test
  void whatTheClientDidNotDeclareIsAnsweredWithoutIt() throws Exception {
    for (Revision revision : List.of(Revision.V2025_11_25, Revision.V2026_07_28)) {
      Map<String, Message.Response> answers =
          questions(Sessions.of(revision, "{}", null))
              .ask(
                  Map.of(
                      "e",
                      ELICITATION,
                      "r",
                      ROOTS,
                      "x",
                      new Message.Request(Json.number(9), "something/else", JsonObject.EMPTY)));

      assertThat(answers.get("r"))
          .isEqualTo(new Message.Result(Json.text("r"), Json.of("{\"roots\":[]}")));
      assertThat(((Message.ErrorResponse) answers.get("e")).error().code())
          .isEqualTo(RpcError.METHOD_NOT_FOUND);
      assertThat(((Message.ErrorResponse) answers.get("e")).error().message())
          .contains("elicitation");
      assertThat(answers.get("x")).isInstanceOf(Message.ErrorResponse.class);
      assertThat(Sessions.said(talk)).isEmpty();
    }
  }

  @Test
  void rootsThatAreNotNamedInTimeAreNone() throws Exception {
    Session session = Sessions.of(Revision.V2025_11_25, "{\"roots\": {}}", null);

    assertThat(questions(session).ask(Map.of("r", ROOTS)))
        .isEqualTo(Map.of("r", new Message.Result(Json.text("r"), Json.of("{\"roots\":[]}"))));
  }

  @Test
  void progressIsForAClientThatAskedForItUnderItsOwnToken() throws Exception {
    Session session = Sessions.of(Revision.V2025_11_25, "{}", null);
    Talk asked =
        Sessions.talk("tools/call", "{\"name\": \"x\", \"_meta\": {\"progressToken\": \"mine\"}}");
    new Questions(session, asked, parked, _ -> {}, Questions.Undeclared.REFUSED)
        .progress(object("{\"progress\": 1}"));
    questions(session).progress(object("{\"progress\": 1}"));

    assertThat(Sessions.said(asked))
        .containsExactly(
            new Message.Notification(
                "notifications/progress",
                object("{\"progress\": 1, \"progressToken\": \"mine\"}")));
    assertThat(Sessions.said(talk)).isEmpty();
  }

  private Questions questions(Session session) {
    return new Questions(session, talk, parked, _ -> {}, Questions.Undeclared.REFUSED);
  }

  private CompletableFuture<Map<String, Message.Response>> asking(
      Session session, Map<String, Message.Request> asked) {
    CompletableFuture<Map<String, Message.Response>> answers = new CompletableFuture<>();
    Questions questions = questions(session);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                answers.complete(questions.ask(asked));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                answers.completeExceptionally(e);
              }
            });
    return answers;
  }
}
