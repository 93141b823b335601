package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.process.Family;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.ServerQuestions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * One process of a server, from its start to its end, and the conversation with it. Thread-safe.
 *
 * <p>Three threads serve it, each for one of its streams, so that none of them can hold up another:
 * one writes what is in the {@link Outbox}, one reads answers into the {@link Inbox}, one drains
 * its standard error. A fourth waits until it is over (the process has ended, or closed its output,
 * or takes no more input, or was dropped by us), tells everybody who waits, and sees to it that
 * nothing of it is left.
 */
final class StdioConnection {
  /** How long the last words of a process are waited for after its end. */
  private static final Duration LAST_WORDS = Duration.ofMillis(200);

  /** What a line has beside the result: the envelope, and a generous id. */
  private static final int ENVELOPE_BYTES = 65_536;

  private static final int ERROR_BYTES = 8_192;

  /** How the ids of requests begin that nobody waits for. */
  private static final String UNATTENDED = "callbound-";

  private static final Logger LOG = System.getLogger(StdioConnection.class.getName());

  /** What its owner wants of it, and is told by it. */
  interface Owner {
    /** The server said something that belongs to no request. Must not block. */
    void heard(Message.Notification notification);

    /** It is over; told before those who wait are, so that none of them comes back to it. */
    void over(StdioConnection connection, Death death);

    /** Nothing of it is left, or all that could be done has been done. */
    void buried(StdioConnection connection, boolean nothingLeft);
  }

  private final String server;
  private final ChildProcess process;
  private final Owner owner;
  private final UnaryOperator<String> redactor;
  private final Duration grace;
  private final InFlight inFlight = new InFlight();
  private final Outbox outbox;
  private final Inbox inbox;
  private final Tail errors = new Tail(ERROR_BYTES);
  private final AtomicLong ids = new AtomicLong();
  private final long startedNanos = System.nanoTime();

  /** Why it is over, in words, for the cases in which the process has not ended. */
  private final CompletableFuture<String> over = new CompletableFuture<>();

  private final CompletableFuture<Void> outputEnded = new CompletableFuture<>();
  private final CompletableFuture<Void> errorsEnded = new CompletableFuture<>();
  private final CompletableFuture<Death> death = new CompletableFuture<>();
  private final CountDownLatch buried = new CountDownLatch(1);
  private volatile boolean dropped;

  /**
   * @param maxResultBytes the largest result that is taken from the process
   * @param redactor takes secrets out of a text
   * @param grace how long the process may take to end once it is asked to
   */
  StdioConnection(
      String server,
      ChildProcess process,
      int maxResultBytes,
      Duration grace,
      UnaryOperator<String> redactor,
      Owner owner) {
    this.server = server;
    this.process = process;
    this.owner = owner;
    this.redactor = redactor;
    this.grace = grace;
    this.outbox = new Outbox(process.input());
    this.inbox =
        new Inbox(maxResultBytes, inFlight, answer -> outbox.offer(answer, null), owner::heard);
    int maxLineBytes = Math.addExact(maxResultBytes, ENVELOPE_BYTES);
    LineReader lines = new LineReader(process.output(), maxLineBytes, inbox);
    LineReader errorLines = new LineReader(process.errors(), ERROR_BYTES, errorSink());
    // Platform threads: a read of a pipe holds its thread, and would hold a carrier of the virtual.
    start("stdin", this::write);
    start("stdout", () -> read(lines, outputEnded));
    start("stderr", () -> read(errorLines, errorsEnded));
    Thread.ofVirtual().name(server + " end").start(this::bury);
  }

  /** Whether requests can be made. */
  boolean alive() {
    return !over.isDone();
  }

  /** How many requests wait for an answer. */
  int inFlight() {
    return inFlight.size();
  }

  long pid() {
    return process.pid();
  }

  Duration lived() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  /** What it did that it should not have. */
  Inbox inbox() {
    return inbox;
  }

  /**
   * Has a request written. It waits in the table until {@link #forget}, which every caller owes.
   *
   * @param revision the revision that the request is made in
   */
  PendingRequest begin(String method, JsonObject params, Revision revision, Exchange exchange) {
    long id = ids.incrementAndGet();
    Json name = Json.number(id);
    ServerQuestions questions = new ServerQuestions(exchange, answer -> outbox.offer(answer, null));
    PendingRequest request = new PendingRequest(id, exchange, questions, inFlight::passOn);
    inFlight.add(request);
    Message message =
        new Message.Request(
            name, method, Dialect.params(method, params, revision, exchange.caller(), name));
    boolean taken = outbox.offer(message, request);
    // Asked after it was put into the table: either this sees the death, or the death sees it.
    Death known = death.getNow(null);
    if (known != null) {
      request.lose(known.detail());
    } else if (!taken) {
      request.lose(
          over.getNow("the process does not read its input, and too much is waiting for it"));
    }
    return request;
  }

  /** The request has ended, or nobody waits for it any more. */
  void forget(PendingRequest request) {
    inFlight.remove(request);
    outbox.remove(request);
  }

  /** Sends a notification when its turn comes; drops it when that will not be. */
  void send(Message.Notification notification) {
    outbox.offer(notification, null);
  }

  /** Makes a request whose answer nobody waits for, and returns its id. */
  Json ask(String method, JsonObject params, Revision revision) {
    // A text: those that somebody waits for have numbers.
    Json id = Json.text(UNATTENDED + ids.incrementAndGet());
    JsonObject whole = Dialect.params(method, params, revision, Dialect.gateway(revision), id);
    outbox.offer(new Message.Request(id, method, whole), null);
    return id;
  }

  /** Tells the process that the answer to a request is not needed any more. */
  void cancel(Json id, String reason) {
    send(
        new Message.Notification(
            "notifications/cancelled",
            JsonObject.of("requestId", id).with("reason", Json.text(reason))));
  }

  /** Why it is over, as soon as that is known; what {@link #drop} ends is known at once. */
  Death awaitDeath() {
    return death.join();
  }

  /** Begins to end it: everybody who waits is told, and the process is stopped. Never blocks. */
  void drop(String why) {
    dropped = true;
    over.complete(why);
  }

  /** Waits until nothing of it is left, or all that could be done has been done. Bounded. */
  void awaitBurial() {
    Duration most = grace.multipliedBy(2).plus(Family.KILL_PATIENCE).plus(LAST_WORDS);
    Family.awaitNot(() -> buried.getCount() > 0, most.plusSeconds(1));
  }

  private void start(String stream, Runnable work) {
    Thread.ofPlatform().daemon().name(server + " " + stream).start(work);
  }

  private void write() {
    try {
      outbox.writeAll();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "server={0} the process takes no more input: {1}", server, e);
    } finally {
      over.complete("the process does not take any more input");
    }
  }

  private void read(LineReader lines, CompletableFuture<Void> ended) {
    try {
      lines.readAll();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "server={0} a stream of the process ended early: {1}", server, e);
    } finally {
      ended.complete(null);
    }
  }

  private LineReader.Sink errorSink() {
    return new LineReader.Sink() {
      @Override
      public void line(byte[] line) {
        errors.add(line);
        LOG.log(Level.DEBUG, () -> "server=" + server + " stderr: " + text(line));
      }

      @Override
      public void overlong(LineReader.Overlong line) {
        if (line.ended()) {
          errors.add(line.begin().getBytes(StandardCharsets.ISO_8859_1));
        }
      }
    };
  }

  private String text(byte[] line) {
    return redactor.apply(new String(line, StandardCharsets.UTF_8));
  }

  private void bury() {
    CompletableFuture<Integer> exit = process.exit();
    CompletableFuture.anyOf(exit, outputEnded, over).join();
    if (!dropped) {
      // An answer may have been written just before the end, and why it ended just after.
      settle(CompletableFuture.allOf(exit, outputEnded, errorsEnded));
    }
    String otherwise = over.getNow("the process closed its output");
    Death known = Death.of(exit.getNow(null), otherwise, errors, inbox.noise(), redactor);
    over.complete(otherwise);
    death.complete(known);
    outbox.close();
    try {
      owner.over(this, known);
      for (PendingRequest request : inFlight.all()) {
        request.exchange().note(known.note());
        request.lose(known.detail());
      }
    } finally {
      stop(known);
    }
  }

  private void stop(Death known) {
    boolean nothingLeft = process.stop(grace);
    LOG.log(
        Level.DEBUG,
        "server={0} pid={1,number,#} late_answers={2} noise_lines={3} over: {4}",
        server,
        process.pid(),
        inbox.lateAnswers(),
        inbox.noise().count(),
        known.what());
    try {
      owner.buried(this, nothingLeft);
    } finally {
      buried.countDown();
    }
  }

  private static void settle(CompletableFuture<Void> everything) {
    try {
      everything.get(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread.
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException _) {
      // What has not come by now may never come: something that the process started holds its pipe.
    }
  }
}
