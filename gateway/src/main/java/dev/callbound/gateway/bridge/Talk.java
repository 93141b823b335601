package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The conversation about one request, as the side sees it that has something to say. */
final class Talk implements Conversation {
  /** Progress that a slow client has not taken yet is dropped beyond this; the answer never is. */
  private static final int MOST_WAITING = 1_000;

  private final long begun = System.nanoTime();
  private final Message.Request request;
  private final LinkedBlockingQueue<Message> waiting = new LinkedBlockingQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Runnable> whenLeft = new ArrayList<>();
  private boolean left;
  private boolean answered;
  private volatile @Nullable String task;
  private volatile @Nullable Reference reference;

  Talk(Message.Request request) {
    this.request = request;
  }

  Message.Request request() {
    return request;
  }

  /** How long ago the client began it. */
  Duration age() {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** Whether the answer has been given. */
  boolean isAnswered() {
    lock.lock();
    try {
      return answered;
    } finally {
      lock.unlock();
    }
  }

  /** Ties all that is said from here on to a task (MCP 2025-11-25, associating messages). */
  void relateTo(String id) {
    task = id;
  }

  private Message related(Message message) {
    String id = task;
    if (id == null) {
      return message;
    }
    return switch (message) {
      case Message.Request(Json asked, String method, JsonObject params) ->
          new Message.Request(asked, method, related(params, id));
      case Message.Notification(String method, JsonObject params) ->
          new Message.Notification(method, related(params, id));
      case Message.Result(Json to, Json result) ->
          new Message.Result(to, TaskJson.result(result, id));
      case Message.ErrorResponse error -> error;
    };
  }

  private static JsonObject related(JsonObject params, String id) {
    return params.with("_meta", TaskJson.related(params.object("_meta"), id));
  }

  /** Says something before the answer; dropped when the answer was given, or far too much waits. */
  void say(Message message) {
    lock.lock();
    try {
      if (!answered && (message instanceof Message.Request || waiting.size() < MOST_WAITING)) {
        waiting.add(related(message));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives the answer. The first one counts. */
  void answer(Json result) {
    var _ = end(new Message.Result(request.id(), result));
  }

  /** Gives the answer, unless one was given. Returns whether it counts. */
  boolean offer(Json result) {
    return end(new Message.Result(request.id(), result));
  }

  /** Gives an error for an answer. The first answer counts. */
  void fail(RpcError error) {
    var _ = end(new Message.ErrorResponse(request.id(), error));
  }

  private boolean end(Message.Response response) {
    lock.lock();
    try {
      boolean first = !answered;
      if (first) {
        answered = true;
        waiting.add(related(response));
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Runs the action when the client leaves before it had its answer; at once if it has left. */
  void whenLeft(Runnable action) {
    lock.lock();
    try {
      if (!left) {
        whenLeft.add(action);
        return;
      }
    } finally {
      lock.unlock();
    }
    action.run();
  }

  void refer(@Nullable Reference known) {
    reference = known;
  }

  @Override
  public @Nullable Message next(Duration patience) throws InterruptedException {
    return waiting.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void left() {
    List<Runnable> actions;
    lock.lock();
    try {
      if (left || answered) {
        return;
      }
      left = true;
      actions = List.copyOf(whenLeft);
    } finally {
      lock.unlock();
    }
    actions.forEach(Runnable::run);
  }

  @Override
  public @Nullable Reference reference() {
    return reference;
  }
}
