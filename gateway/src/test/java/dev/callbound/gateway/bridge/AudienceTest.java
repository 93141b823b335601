package dev.callbound.gateway.bridge;

import static dev.callbound.gateway.bridge.Sessions.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AudienceTest {
  private static final Message.Request QUESTION =
      new Message.Request(Json.number(7), "elicitation/create", object("{\"message\": \"ok?\"}"));
  private static final Json YES = Json.of("{\"action\":\"accept\"}");
  private static final String ELICITS = "{\"elicitation\": {}}";

  private final Questions.Parked parked = new Questions.Parked();
  private final Audience audience = new Audience(parked, (_, _, _, _) -> null);

  @Test
  void whoCallsAgainInsteadOfAnsweringIsAskedAgain() throws Exception {
    Talk first = joined(Revision.V2026_07_28);
    var answers = asking();
    String lost = state(first);
    Talk second = joined(Revision.V2026_07_28);
    Questions waiting = Objects.requireNonNull(parked.take(state(second), "local"));
    Talk again = Sessions.talk("tools/call", "{}");
    waiting.resume(again, JsonObject.of("q", YES));

    assertThat(answers.get(10, TimeUnit.SECONDS))
        .isEqualTo(Map.of("q", new Message.Result(Json.number(7), YES)));
    audience.answer((talk, _, _) -> talk.answer(Json.text("done")));
    assertThat(((Message.Result) Sessions.next(again)).result()).isEqualTo(Json.text("done"));
    assertThat(lost).isNotEqualTo(Questions.STATE);
  }

  @Test
  void whoWasAskedFirstCanStillAnswer() throws Exception {
    Talk first = joined(Revision.V2026_07_28);
    var answers = asking();
    String state = state(first);
    Talk second = joined(Revision.V2026_07_28);
    state(second);
    Questions waiting = Objects.requireNonNull(parked.take(state, "local"));
    waiting.resume(Sessions.talk("tools/call", "{}"), JsonObject.of("q", YES));

    assertThat(answers.get(10, TimeUnit.SECONDS)).containsOnlyKeys("q");
  }

  @Test
  void theNextIsAskedWhenTheOneWhoWasAskedLeaves() throws Exception {
    Session leaving = Sessions.of(Revision.V2025_11_25, ELICITS, null);
    Talk first = Sessions.talk("tools/call", "{}");
    assertThat(audience.join(leaving, first, "tool", Stay.TO_THE_END))
        .isEqualTo(Audience.Admission.JOINED);
    Session staying = Sessions.of(Revision.V2025_11_25, ELICITS, null);
    Talk second = Sessions.talk("tools/call", "{}");
    assertThat(audience.join(staying, second, "tool", Stay.TO_THE_END))
        .isEqualTo(Audience.Admission.JOINED);
    var answers = asking();
    assertThat(Sessions.next(first)).isInstanceOf(Message.Request.class);

    leaving.close();
    Message.Request put = (Message.Request) Sessions.next(second);
    staying.answered(new Message.Result(put.id(), YES));

    assertThat(answers.get(10, TimeUnit.SECONDS)).containsOnlyKeys("q");
  }

  /** One that was asked something comes back with the answer: it does not wait meanwhile. */
  @Test
  void whoIsAskedIsNotLetGo() throws Exception {
    Audience patient = new Audience(parked, (_, _, _, _) -> Json.text("come back"));
    Session session = Sessions.of(Revision.V2026_07_28, ELICITS, null);
    Talk talk = Sessions.talk("tools/call", "{}");
    patient.refer(new Conversation.Reference("r_1", "c_1"));
    patient.join(session, talk, "tool", new Stay(Duration.ofMillis(300), Handle.CALL));
    var answers = asking(patient);
    String state = state(talk);
    patient.opened(false);
    CountDownLatch never = new CountDownLatch(1);
    assertThat(never.await(600, TimeUnit.MILLISECONDS)).isFalse();
    Talk again = Sessions.talk("tools/call", "{}");
    Objects.requireNonNull(parked.take(state, "local")).resume(again, JsonObject.of("q", YES));

    assertThat(answers.get(10, TimeUnit.SECONDS)).containsOnlyKeys("q");
    assertThat(((Message.Result) Sessions.next(again)).result())
        .as("now its patience counts again")
        .isEqualTo(Json.text("come back"));
  }

  /** A person who is about to answer need not do so twice. */
  @Test
  void theAnswerOfWhoWasLetGoCounts() throws Exception {
    Audience patient = new Audience(parked, (_, _, _, _) -> Json.text("come back"));
    Session session = Sessions.of(Revision.V2025_11_25, ELICITS, null);
    Talk talk = Sessions.talk("tools/call", "{}");
    patient.refer(new Conversation.Reference("r_1", "c_1"));
    patient.join(session, talk, "tool", new Stay(Duration.ofMillis(300), Handle.CALL));
    patient.opened(false);
    var answers = asking(patient);
    Message.Request put = (Message.Request) Sessions.next(talk);
    assertThat(((Message.Result) Sessions.next(talk)).result()).isEqualTo(Json.text("come back"));
    session.answered(new Message.Result(put.id(), YES));

    assertThat(answers.get(10, TimeUnit.SECONDS)).containsOnlyKeys("q");
  }

  private Talk joined(Revision revision) {
    Talk talk = Sessions.talk("tools/call", "{}");
    assertThat(audience.join(Sessions.of(revision, ELICITS, null), talk, "tool", Stay.TO_THE_END))
        .isEqualTo(Audience.Admission.JOINED);
    return talk;
  }

  private static String state(Talk talk) throws InterruptedException {
    Json asked = ((Message.Result) Sessions.next(talk)).result();
    assertThat(asked.textAt("resultType")).isEqualTo("input_required");
    return Objects.requireNonNull(asked.textAt("requestState"));
  }

  private CompletableFuture<Map<String, Message.Response>> asking() {
    return asking(audience);
  }

  private static CompletableFuture<Map<String, Message.Response>> asking(Audience audience) {
    CompletableFuture<Map<String, Message.Response>> answers = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                answers.complete(audience.ask(Map.of("q", QUESTION)));
              } catch (InterruptedException e) {
                answers.cancel(true);
              }
            });
    return answers;
  }
}
