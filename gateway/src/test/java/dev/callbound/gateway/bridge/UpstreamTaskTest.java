package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server makes a task of a call: the attempt waits for it as for any answer. */
class UpstreamTaskTest {
  private static final String CREATED =
      "{\"resultType\":\"task\",\"taskId\":\"t1\",\"status\":\"working\",\"pollIntervalMs\":1}";
  private static final String RESULT = "{\"content\":[],\"isError\":false}";

  private final List<JsonObject> progress = new CopyOnWriteArrayList<>();

  @Test
  void theResultOfTheTaskIsTheAnswer() {
    ScriptedServer server =
        scripted(
            CREATED,
            "{\"status\":\"working\",\"statusMessage\":\"one\",\"pollIntervalMs\":1}",
            "{\"status\":\"working\",\"statusMessage\":\"two\",\"pollIntervalMs\":1}",
            "{\"status\":\"completed\",\"result\":" + RESULT + "}");

    assertThat(send(server)).isEqualTo(new Reply.Answered<>(Json.of(RESULT)));
    assertThat(server.asked("tasks/get")).hasSize(3).allMatch(UpstreamTaskTest::namesTheTask);
    assertThat(progress).extracting(told -> told.text("message")).containsExactly("two");
  }

  /** The request has arrived: that asking fails says nothing about it. */
  @Test
  void whileItCannotBeAskedItIsAskedAgain() {
    AtomicInteger asked = new AtomicInteger();
    ScriptedServer server =
        new ScriptedServer(
            one ->
                switch (one.method()) {
                  case "tools/call" -> ScriptedServer.answered(CREATED);
                  default ->
                      asked.incrementAndGet() < 3
                          ? Reply.failed(new Failure.NotSent("refused"))
                          : ScriptedServer.answered(
                              "{\"status\":\"completed\",\"result\":" + RESULT + "}");
                });
    Live live = live();
    live.sent();

    assertThat(Rounds.send(server, "tools/call", JsonObject.EMPTY, live))
        .isEqualTo(new Reply.Answered<>(Json.of(RESULT)));
    assertThat(live.wasSent()).as("the call itself").isTrue();
  }

  @Test
  void anErrorOfTheTaskIsTheErrorOfTheCall() {
    Live live = live();
    Reply<Json> reply =
        Rounds.send(
            scripted(
                CREATED, "{\"status\":\"failed\",\"error\":{\"code\":-32602,\"message\":\"no\"}}"),
            "tools/call",
            JsonObject.EMPTY,
            live);

    assertThat(failure(reply)).isEqualTo(new Failure.Refused(-32602, "error -32602: no"));
    assertThat(live.error()).isNotNull();
  }

  /** How far a task had come that its server cancelled is not known. */
  @Test
  void aTaskThatItsServerCancelledMayHaveRun() {
    Reply<Json> reply = send(scripted(CREATED, "{\"status\":\"cancelled\"}"));

    assertThat(failure(reply).mayHaveRun()).isTrue();
  }

  @Test
  void itsQuestionsAreAnsweredThroughIt() {
    ScriptedServer server =
        scripted(
            CREATED,
            "{\"status\":\"input_required\",\"inputRequests\":{\"q\":{\"method\":"
                + "\"elicitation/create\",\"params\":{\"message\":\"on?\"}}}}",
            "{}",
            "{\"status\":\"completed\",\"result\":" + RESULT + "}");

    assertThat(send(server)).isEqualTo(new Reply.Answered<>(Json.of(RESULT)));
    assertThat(server.asked("tasks/update").getFirst())
        .isEqualTo(
            JsonObject.of("taskId", Json.text("t1"))
                .with("inputResponses", JsonObject.of("q", Json.of("{\"action\":\"accept\"}"))));
  }

  /** Up to 2025-11-25 the result is asked for when the task is over. */
  @Test
  void theResultOfAnOlderTaskIsAskedFor() {
    ScriptedServer server =
        scripted(
            "{\"task\":{\"taskId\":\"t1\",\"status\":\"working\",\"pollInterval\":1}}",
            "{\"taskId\":\"t1\",\"status\":\"failed\"}",
            "{\"content\":[],\"isError\":true}");

    assertThat(send(server))
        .isEqualTo(new Reply.Answered<>(Json.of("{\"content\":[],\"isError\":true}")));
    assertThat(server.asked("tasks/result")).hasSize(1).allMatch(UpstreamTaskTest::namesTheTask);
  }

  @Test
  void whoStopsWaitingCancelsIt() throws Exception {
    ScriptedServer server =
        new ScriptedServer(
            one ->
                ScriptedServer.answered(
                    one.method().equals("tools/call") ? CREATED : "{\"status\":\"working\"}"));
    CompletableFuture<Reply<Json>> reply = new CompletableFuture<>();
    Thread waiting = Thread.ofVirtual().start(() -> reply.complete(send(server)));
    assertThat(Eventually.holds(() -> !server.asked("tasks/get").isEmpty())).isTrue();
    waiting.interrupt();

    assertThat(failure(reply.get()).mayHaveRun()).isTrue();
    assertThat(Eventually.holds(() -> server.asked("tasks/cancel").size() == 1)).isTrue();
  }

  /** A result with a member of that name is no task. */
  @Test
  void aResultIsAResult() {
    String result = "{\"content\":[],\"task\":{\"taskId\":\"mine\"}}";

    assertThat(send(scripted(result))).isEqualTo(new Reply.Answered<>(Json.of(result)));
  }

  private Reply<Json> send(ScriptedServer server) {
    return Rounds.send(server, "tools/call", JsonObject.EMPTY, live());
  }

  private static ScriptedServer scripted(String... answers) {
    List<String> left = new ArrayList<>(List.of(answers));
    return new ScriptedServer(_ -> ScriptedServer.answered(left.removeFirst()));
  }

  private static boolean namesTheTask(JsonObject params) {
    return "t1".equals(params.text("taskId"));
  }

  private static Failure failure(Reply<Json> reply) {
    return ((Reply.Failed<Json>) reply).failure();
  }

  private Live live() {
    Live.Asker asker =
        new Live.Asker() {
          @Override
          public void progress(JsonObject params) {
            progress.add(params);
          }

          @Override
          public void say(Message.Notification notification) {}

          @Override
          public Map<String, Message.Response> ask(Map<String, Message.Request> questions) {
            return Map.of(
                "q", new Message.Result(Json.text("q"), Json.of("{\"action\":\"accept\"}")));
          }
        };
    Exchange.Caller caller = AttemptsTest.CALLER;
    return new Live(asker, caller, 1_000_000, Map.of());
  }
}
