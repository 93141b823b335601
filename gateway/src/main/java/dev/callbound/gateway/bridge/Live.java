package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.Pulse;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request to a server while it is on its way: gathers the evidence, and passes what the server
 * says meanwhile to the client that asked. One for each attempt.
 */
final class Live implements Exchange {
  /** What a server notes for the record is bounded: it may be the tail of a log. */
  private static final int LONGEST_NOTE = 2_000;

  private static final String RELATED_TO_CALL = "notifications/message";

  private final Asker asker;
  private final Caller caller;
  private final long maxResultBytes;
  private final Map<String, String> mirrored;
  private final Map<String, String> headers;
  private final AtomicInteger progressCount = new AtomicInteger();
  private final AtomicInteger signsOfLife = new AtomicInteger();
  private final AtomicInteger asking = new AtomicInteger();
  private final AtomicReference<@Nullable String> note = new AtomicReference<>();
  private final long begun = System.nanoTime();
  private volatile long lastProgress = begun;
  private volatile long lastSign = begun;
  private volatile boolean sent;
  private volatile boolean arrived;
  private volatile boolean over;
  private volatile @Nullable RpcError error;

  /** A request without header fields of its own. */
  Live(Asker asker, Caller caller, long maxResultBytes, Map<String, String> mirrored) {
    this(asker, caller, maxResultBytes, mirrored, Map.of());
  }

  /**
   * A request about to be sent.
   *
   * @param mirrored values of arguments that the tool's schema wants in headers
   * @param headers header fields that go with it over HTTP
   */
  Live(
      Asker asker,
      Caller caller,
      long maxResultBytes,
      Map<String, String> mirrored,
      Map<String, String> headers) {
    this.asker = asker;
    this.caller = caller;
    this.maxResultBytes = maxResultBytes;
    this.mirrored = mirrored;
    this.headers = headers;
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
  public Map<String, String> headers() {
    return headers;
  }

  @Override
  public long maxResultBytes() {
    return maxResultBytes;
  }

  @Override
  public void sent() {
    sent = true;
  }

  @Override
  public void notTaken() {
    sent = false;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** Its time is over: nothing more is sent for it. */
  void over() {
    over = true;
  }

  boolean wasSent() {
    return sent || arrived;
  }

  /**
   * The server has answered that it has the request, and is sent more of it: whatever becomes of
   * that, it has arrived.
   */
  void arrived() {
    arrived = true;
  }

  /** The reply, as far as it can be believed: what has arrived can't turn out never to have. */
  Reply<Json> believed(Reply<Json> reply) {
    return arrived
            && reply instanceof Reply.Failed<Json>(Failure failure, _)
            && failure.neverArrived()
        ? Reply.failed(new Failure.Broken("after the server had it: " + failure.detail()))
        : reply;
  }

  @Override
  public void signOfLife() {
    lastSign = System.nanoTime();
    signsOfLife.incrementAndGet();
  }

  @Override
  public void progress(JsonObject params) {
    lastProgress = System.nanoTime();
    progressCount.incrementAndGet();
    asker.progress(params);
  }

  @Override
  public void notification(Message.Notification notification) {
    signOfLife();
    if (notification.method().equals(RELATED_TO_CALL)) {
      asker.say(notification);
    }
  }

  @Override
  public void errorAnswer(RpcError answered) {
    error = answered;
  }

  /** The server has made a task of the request: the answer will take its time. */
  void longTask() {
    asker.longTask();
  }

  /** The error that the server answered with; null when it did not. */
  @Nullable RpcError error() {
    return error;
  }

  @Override
  public void note(String text) {
    note.updateAndGet(
        before -> {
          String all = before == null ? text : before + "\n" + text;
          return all.length() <= LONGEST_NOTE ? all : all.substring(all.length() - LONGEST_NOTE);
        });
  }

  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions)
      throws InterruptedException {
    asking.incrementAndGet();
    try {
      return asker.ask(questions);
    } finally {
      // The silence that counts begins anew: a person's time is not the tool's.
      lastProgress = System.nanoTime();
      asking.decrementAndGet();
    }
  }

  /** The reading of the clock at which so long a silence has been reached; none while asking. */
  long silentAt(Duration stall) {
    return asking.get() > 0 ? Long.MAX_VALUE : lastProgress + stall.toNanos();
  }

  /** How long ago the last progress was, or else the begin. */
  Duration sinceProgress() {
    return Duration.ofNanos(System.nanoTime() - lastProgress);
  }

  /**
   * What has been seen by now.
   *
   * @param stuckSince see {@link Pulse}
   */
  Pulse pulse(Instant now, @Nullable Instant stuckSince) {
    // Each count is read before its time, and written after it: a count has a time.
    int progress = progressCount.get();
    int signs = signsOfLife.get();
    long nanos = System.nanoTime();
    return new Pulse(
        progress,
        progress == 0 ? null : now.minusNanos(nanos - lastProgress),
        signs,
        signs == 0 ? null : now.minusNanos(nanos - lastSign),
        stuckSince);
  }

  Evidence evidence() {
    int count = progressCount.get();
    return new Evidence(
        count,
        count == 0 ? null : Duration.ofNanos(System.nanoTime() - lastProgress),
        signsOfLife.get(),
        note.get());
  }

  /** Who hears what belongs to a request, and answers what the server asks during it. */
  interface Asker {
    /** Progress on the request, its token not yet the client's. */
    void progress(JsonObject params);

    /** Something else that the client should hear. */
    void say(Message.Notification notification);

    /** The server has made a task of the request. */
    default void longTask() {}

    /** See {@link Exchange#ask}. */
    Map<String, Message.Response> ask(Map<String, Message.Request> questions)
        throws InterruptedException;

    /** Nobody hears anything, and every question is refused. */
    Asker NOBODY =
        new Asker() {
          @Override
          public void progress(JsonObject params) {}

          @Override
          public void say(Message.Notification notification) {}

          @Override
          public Map<String, Message.Response> ask(Map<String, Message.Request> questions) {
            return Questions.refused(questions, "there is no client to ask");
          }
        };
  }
}
