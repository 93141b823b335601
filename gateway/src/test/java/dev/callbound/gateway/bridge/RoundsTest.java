package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server asks before it answers: all rounds together are one attempt. */
class RoundsTest {
  private static final Reply<Json> ASKS =
      ScriptedServer.answered("{\"resultType\":\"input_required\",\"requestState\":\"s\"}");
  private static final Reply<Json> ANSWER = ScriptedServer.answered("{\"content\":[]}");
  private static final Failure LOST = new Failure.NotSent("status 408");

  private final Live live =
      new Live(Live.Asker.NOBODY, Dialect.gateway(Revision.V2026_07_28), Long.MAX_VALUE, Map.of());

  @Test
  void theAnswerAfterTheQuestionsIsTheAnswer() {
    assertThat(send(List.of(ASKS, ASKS, ANSWER))).isEqualTo(ANSWER);
  }

  /** A write whose second round was lost may have run in the first. */
  @Test
  void whatWasAskedAboutHasArrivedWhateverBecomesOfItsContinuation() {
    live.sent();
    Reply<Json> reply = send(List.of(ASKS, Reply.failed(LOST)));

    assertThat(reply)
        .isEqualTo(Reply.failed(new Failure.Broken("after the server had it: status 408")));
    live.notTaken();
    assertThat(live.wasSent()).isTrue();
  }

  @Test
  void aRequestThatIsLostAtOnceNeverArrived() {
    assertThat(send(List.of(Reply.failed(LOST)))).isEqualTo(Reply.failed(LOST));
    assertThat(live.wasSent()).isFalse();
  }

  @Test
  void aContinuationThatIsRefusedIsRefused() {
    Reply<Json> refused = Reply.failed(new Failure.Refused(403, "403"));

    assertThat(send(List.of(ASKS, refused))).isEqualTo(refused);
  }

  @Test
  void aServerThatKeepsAskingIsNotFollowedForEver() {
    ScriptedServer server = new ScriptedServer(_ -> ASKS);

    Reply<Json> reply = Rounds.send(server, "tools/call", JsonObject.EMPTY, live);

    assertThat(((Reply.Failed<Json>) reply).failure()).isInstanceOf(Failure.Garbled.class);
    assertThat(server.asked()).hasSize(20);
  }

  private Reply<Json> send(List<Reply<Json>> replies) {
    Iterator<Reply<Json>> left = replies.iterator();
    return Rounds.send(new ScriptedServer(_ -> left.next()), "tools/call", JsonObject.EMPTY, live);
  }
}
