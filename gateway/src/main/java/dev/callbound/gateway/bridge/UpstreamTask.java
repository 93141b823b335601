package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.RpcFailures;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task that a server has made of a request, in place of an answer: asked about until it is over,
 * all of it within the attempt that made the request. When that is interrupted, the server is told
 * that nobody waits any more. One thread, one use.
 *
 * <p>The request has arrived: however asking fails, it is asked again, and the attempt's deadline
 * alone ends that.
 */
final class UpstreamTask {
  private static final String RESULT_TYPE = "resultType";
  private static final String GET = "tasks/get";
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);
  private static final Duration STANDARD_PAUSE = Duration.ofSeconds(2);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration CANCELLING = Duration.ofSeconds(10);
  private static final long MOST_CANCEL_BYTES = 65_536;

  private final UpstreamServer server;
  private final Live live;
  private final String id;
  private final boolean older;
  private Duration pause;
  private String told = "";
  private int changes;

  private UpstreamTask(UpstreamServer server, Live live, String id, boolean older, Duration pause) {
    this.server = server;
    this.live = live;
    this.id = id;
    this.older = older;
    this.pause = pause;
  }

  /** The task that a result stands for; null where it is an answer. */
  static @Nullable UpstreamTask in(Json result, UpstreamServer server, Live live) {
    String flat = "task".equals(result.textAt(RESULT_TYPE)) ? result.textAt("taskId") : null;
    if (flat != null) {
      return new UpstreamTask(
          server, live, flat, false, pause(result.at("pollIntervalMs"), STANDARD_PAUSE));
    }
    Json nested = result.at("task");
    String id = nested == null ? null : nested.textAt("taskId");
    return id == null || nested == null || result.at("content") != null
        ? null
        : new UpstreamTask(
            server, live, id, true, pause(nested.at("pollInterval"), STANDARD_PAUSE));
  }

  /** Whether a tool can only be called as a task (MCP 2025-11-25), by how its server lists it. */
  static boolean isRequired(@Nullable Json listed) {
    return listed != null && "required".equals(listed.textAt("execution", "taskSupport"));
  }

  /** Waits for its end. */
  Reply<Json> await() {
    live.longTask();
    try {
      while (true) {
        Thread.sleep(pause);
        Polling polling = new Polling();
        Reply<Json> reply = server.request(GET, named(), polling);
        requireUninterrupted();
        Reply<Json> end =
            switch (reply) {
              case Reply.Answered<Json>(Json state) -> look(state);
              case Reply.Failed<Json>(Failure failure, _) -> missed(failure, polling.error());
            };
        if (end != null) {
          return end;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      cancel();
      return Reply.failed(new Failure.Broken("ended while the server's task was waited for"));
    }
  }

  private static void requireUninterrupted() throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("nobody waits for the task any more");
    }
  }

  private @Nullable Reply<Json> look(Json state) throws InterruptedException {
    live.signOfLife();
    pause = pause(state.at(older ? "pollInterval" : "pollIntervalMs"), pause);
    String status = state.textAt("status");
    return switch (status == null ? "" : status) {
      case "working" -> {
        progress(state);
        yield null;
      }
      case "input_required" -> older ? result() : answer(state);
      case "completed" -> older ? result() : completed(state);
      case "failed" -> older ? result() : failed(state);
      // How far it had come by then, only the server knows.
      case "cancelled" -> Reply.failed(new Failure.Broken("the server cancelled its task " + id));
      default ->
          Reply.failed(new Failure.Garbled("the server's task " + id + " has no known status"));
    };
  }

  private static Reply<Json> completed(Json state) {
    Json result = state.at("result");
    return result == null
        ? Reply.failed(new Failure.Garbled("a task that is completed, without a result"))
        : new Reply.Answered<>(result);
  }

  private Reply<Json> failed(Json state) {
    Json error = state.at("error");
    if (error == null) {
      return Reply.failed(new Failure.Garbled("a task that has failed, without an error"));
    }
    RpcError own = RpcError.read(error);
    live.errorAnswer(own);
    return Reply.failed(RpcFailures.of(own, Set.of(), Instant.now()));
  }

  /** What it says of itself is progress when it changes. */
  private void progress(Json state) {
    String message = state.textAt("statusMessage");
    String now = message + "@" + state.textAt("lastUpdatedAt");
    if (now.equals(told)) {
      return;
    }
    boolean first = told.isEmpty();
    told = now;
    if (!first) {
      JsonObject params = JsonObject.of("progress", Json.number(++changes));
      live.progress(message == null ? params : params.with("message", Json.text(message)));
    }
  }

  /** The questions of a task are answered through it (MCP 2026-07-28, the extension). */
  private @Nullable Reply<Json> answer(Json state) throws InterruptedException {
    JsonObject answers = InputRequired.answers(state, live);
    if (!answers.isEmpty()) {
      server.request("tasks/update", named().with("inputResponses", answers), new Polling());
      requireUninterrupted();
    }
    return null;
  }

  /** Up to 2025-11-25 the result is asked for, and questions come before it. */
  private @Nullable Reply<Json> result() throws InterruptedException {
    Polling polling = new Polling();
    Reply<Json> reply = server.request("tasks/result", named(), polling);
    requireUninterrupted();
    return switch (reply) {
      case Reply.Answered<Json> answered -> answered;
      case Reply.Failed<Json>(Failure failure, _) -> {
        RpcError own = polling.error();
        if (own == null) {
          yield missed(failure, null);
        }
        live.errorAnswer(own);
        yield reply;
      }
    };
  }

  /** Asking failed, which says nothing about the task; unless the server does not know it. */
  private @Nullable Reply<Json> missed(Failure failure, @Nullable RpcError own) {
    if (own != null && own.code() == RpcError.INVALID_PARAMS) {
      return Reply.failed(
          new Failure.Broken("the server does not know its task any more: " + own.message()));
    }
    live.note("the server could not be asked about its task: " + failure.detail());
    pause = least(pause.multipliedBy(2), LONGEST_PAUSE);
    return null;
  }

  private void cancel() {
    Thread.ofVirtual()
        .name("cancel-task")
        .start(
            () ->
                // What stops work must not stand in line behind it.
                PlainRequest.unattended(
                        server,
                        Doorway.OPEN,
                        "tasks/cancel",
                        named(),
                        CANCELLING,
                        MOST_CANCEL_BYTES,
                        live.caller())
                    .make());
  }

  private JsonObject named() {
    return JsonObject.of("taskId", Json.text(id));
  }

  private static Duration pause(@Nullable Json millis, Duration standard) {
    OptionalLong named = millis == null ? OptionalLong.empty() : millis.asLong();
    if (named.isEmpty() || named.getAsLong() < SHORTEST_PAUSE.toMillis()) {
      return named.isEmpty() ? standard : SHORTEST_PAUSE;
    }
    return named.getAsLong() > LONGEST_PAUSE.toMillis()
        ? LONGEST_PAUSE
        : Duration.ofMillis(named.getAsLong());
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** One question about the task: what becomes of it changes nothing about the request itself. */
  private final class Polling implements Exchange {
    private volatile @Nullable RpcError error;

    /** The error that the server answered with; null when it did not. */
    @Nullable RpcError error() {
      return error;
    }

    @Override
    public Caller caller() {
      return live.caller();
    }

    @Override
    public Map<String, String> mirroredArguments() {
      return Map.of();
    }

    @Override
    public long maxResultBytes() {
      return live.maxResultBytes();
    }

    @Override
    public void sent() {}

    @Override
    public void notTaken() {}

    @Override
    public void signOfLife() {
      live.signOfLife();
    }

    @Override
    public void progress(JsonObject params) {
      live.progress(params);
    }

    @Override
    public void notification(Message.Notification notification) {
      live.notification(notification);
    }

    @Override
    public void errorAnswer(RpcError answered) {
      error = answered;
    }

    @Override
    public void note(String note) {
      live.note(note);
    }

    @Override
    public Map<String, Message.Response> ask(Map<String, Message.Request> questions)
        throws InterruptedException {
      return live.ask(questions);
    }
  }
}
