package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client and what is under way for it. */
final class Session implements Client {
  private static final int MOST_WAITING = 1_000;

  private final Bridge.Greeting greeting;
  private final Exchange.Caller caller;
  private final LinkedBlockingQueue<Message> outbox = new LinkedBlockingQueue<>(MOST_WAITING);
  private final Map<Json, CompletableFuture<Message.Response>> asked = new ConcurrentHashMap<>();
  private final Map<Json, Runnable> cancellable = new ConcurrentHashMap<>();
  private final List<Runnable> whenClosed = new ArrayList<>();
  private final AtomicLong questions = new AtomicLong();
  private final ReentrantLock runLock = new ReentrantLock();
  private volatile @Nullable Json logLevel;
  private @Nullable Run run;
  private boolean closed;

  Session(Bridge.Greeting greeting) {
    this.greeting = greeting;
    this.caller = caller(greeting);
  }

  /** The client as servers get to know it: what can't be relayed is not declared. */
  Exchange.Caller caller() {
    return caller;
  }

  private static Exchange.Caller caller(Bridge.Greeting greeting) {
    JsonObject declared = greeting.capabilities().without("tasks");
    JsonObject extensions = declared.object("extensions").without(Dialect.TASKS);
    return new Exchange.Caller(
        greeting.revision(),
        greeting.info(),
        extensions.isEmpty()
            ? declared.without("extensions")
            : declared.with("extensions", extensions));
  }

  /** Whether it takes a task for an answer, as the extension of MCP 2026-07-28 has them. */
  boolean takesTasks() {
    return !revision().hasSessions()
        && capabilities().object("extensions").get(Dialect.TASKS) != null;
  }

  Bridge.Greeting greeting() {
    return greeting;
  }

  @Override
  public Revision revision() {
    return greeting.revision();
  }

  @Override
  public JsonObject capabilities() {
    return greeting.capabilities();
  }

  @Override
  public JsonObject info() {
    return greeting.info();
  }

  @Override
  public String principal() {
    return greeting.principal();
  }

  /** The least level of log messages that it wants to hear; null while it has not said. */
  @Nullable Json logLevel() {
    return logLevel;
  }

  void logLevel(@Nullable Json level) {
    logLevel = level;
  }

  /** Its name for people, such as {@code claude-code 2.1}. */
  String title() {
    String name = info().text("name");
    String version = info().text("version");
    return (name == null ? "unnamed client" : name) + (version == null ? "" : " " + version);
  }

  /** Tells the client something outside any request; dropped when far too much waits. */
  void tell(Message.Notification notification) {
    boolean taken = outbox.offer(notification);
    if (!taken) {
      outbox.poll();
      outbox.offer(notification);
    }
  }

  @Override
  public @Nullable Message next(Duration patience) throws InterruptedException {
    return outbox.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Puts a question to the client within a conversation; the answer comes in the future. */
  Asked ask(Talk talk, Message.Request question) {
    Json id = Json.text("callbound-" + questions.incrementAndGet());
    CompletableFuture<Message.Response> answer = new CompletableFuture<>();
    asked.put(id, answer);
    talk.say(new Message.Request(id, question.method(), question.params()));
    return new Asked(id, answer);
  }

  /** A question that has been put. */
  record Asked(Json id, CompletableFuture<Message.Response> answer) {}

  /** Nobody waits for the answer any more. */
  void forget(Asked question) {
    asked.remove(question.id());
  }

  void answered(Message.Response response) {
    CompletableFuture<Message.Response> waiting = asked.remove(response.id());
    if (waiting != null) {
      waiting.complete(response);
    }
  }

  /** Makes a request of the client's one that {@code notifications/cancelled} can end. */
  void cancellable(Json requestId, Runnable cancel) {
    cancellable.put(requestId, cancel);
  }

  void over(Json requestId) {
    cancellable.remove(requestId);
  }

  void cancel(Json requestId) {
    Optional.ofNullable(cancellable.remove(requestId)).ifPresent(Runnable::run);
  }

  /** Runs the action when the client is gone for good; at once if it is. */
  void whenClosed(Runnable action) {
    synchronized (whenClosed) {
      if (!closed) {
        whenClosed.add(action);
        return;
      }
    }
    action.run();
  }

  void notWhenClosed(Runnable action) {
    synchronized (whenClosed) {
      whenClosed.remove(action);
    }
  }

  /** The run of this session's own, opened when it is first needed. */
  Run run(Supplier<Run> opening) {
    // Opening waits for the disk; only calls of the same session wait with it.
    runLock.lock();
    try {
      if (run == null) {
        run = opening.get();
      }
      return run;
    } finally {
      runLock.unlock();
    }
  }

  @Nullable Run ownRun() {
    runLock.lock();
    try {
      return run;
    } finally {
      runLock.unlock();
    }
  }

  @Override
  public void close() {
    List<Runnable> actions;
    synchronized (whenClosed) {
      if (closed) {
        return;
      }
      closed = true;
      actions = List.copyOf(whenClosed);
    }
    actions.forEach(Runnable::run);
  }
}
