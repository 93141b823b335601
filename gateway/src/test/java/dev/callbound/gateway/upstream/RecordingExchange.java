package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** An exchange that remembers what the wire reported. Thread-safe. */
public final class RecordingExchange implements Exchange {
  private final Caller caller;
  private volatile long maxResultBytes = 8L << 20;
  private volatile Map<String, String> mirrored = Map.of();
  private volatile boolean over;
  private volatile Function<Message.Request, Message.Response> client =
      question ->
          new Message.ErrorResponse(
              question.id(), RpcError.of(RpcError.METHOD_NOT_FOUND, "not supported"));
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch sent = new CountDownLatch(1);

  public final List<JsonObject> progress = new CopyOnWriteArrayList<>();
  public final List<Message.Notification> notifications = new CopyOnWriteArrayList<>();
  public final List<RpcError> errors = new CopyOnWriteArrayList<>();
  public final List<String> notes = new CopyOnWriteArrayList<>();
  public final List<Message.Request> questions = new CopyOnWriteArrayList<>();

  public RecordingExchange() {
    this(Revision.NEWEST_WITH_SESSIONS);
  }

  public RecordingExchange(Revision revision) {
    JsonObject info = JsonObject.EMPTY;
    this.caller =
        new Caller(
            revision,
            info.with("name", Json.text("test")).with("version", Json.text("1")),
            JsonObject.EMPTY);
  }

  public RecordingExchange maxResultBytes(long bytes) {
    maxResultBytes = bytes;
    return this;
  }

  public RecordingExchange mirrored(Map<String, String> arguments) {
    mirrored = Map.copyOf(arguments);
    return this;
  }

  /** From now on nothing more may be sent. */
  public void over() {
    over = true;
  }

  /** Answers the server's questions; may block, and may throw for an interrupt. */
  public RecordingExchange client(Function<Message.Request, Message.Response> answers) {
    client = answers;
    return this;
  }

  /** What happened, in order: {@code sent}, {@code not taken}, {@code life}, {@code progress}. */
  public List<String> events() {
    return List.copyOf(events);
  }

  /** How often {@code sent} was called. */
  public long timesSent() {
    return events.stream().filter("sent"::equals).count();
  }

  /** Waits until the request has been sent; false when it was not within ten seconds. */
  public boolean awaitSent() throws InterruptedException {
    return sent.await(10, TimeUnit.SECONDS);
  }

  @Override
  public Caller caller() {
    return caller;
  }

  @Override
  public Map<String, String> mirroredArguments() {
    return mirrored;
  }

  @Override
  public long maxResultBytes() {
    return maxResultBytes;
  }

  @Override
  public void sent() {
    events.add("sent");
    sent.countDown();
  }

  @Override
  public void notTaken() {
    events.add("not taken");
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public void signOfLife() {
    events.add("life");
  }

  @Override
  public void progress(JsonObject params) {
    events.add("progress");
    progress.add(params);
  }

  @Override
  public void notification(Message.Notification notification) {
    events.add("notification");
    notifications.add(notification);
  }

  @Override
  public void errorAnswer(RpcError error) {
    errors.add(error);
  }

  @Override
  public void note(String note) {
    notes.add(note);
  }

  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> asked)
      throws InterruptedException {
    Map<String, Message.Response> answers = new HashMap<>();
    asked.forEach(
        (name, question) -> {
          questions.add(question);
          answers.put(name, client.apply(question));
        });
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return answers;
  }
}
