package dev.callbound.policy.world;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Draw;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Reply;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What is behind the gateway: tools that do what they are asked before they answer, after nobody
 * listens any more, or never; and whose answers come, come late, come twice or are lost. It keeps a
 * ledger, which is the ground truth.
 *
 * <p>It never lies in what the rules build on: what it reports as not sent, refused, limited or
 * unsafe has no effect; a result means that the effect is there; a key is remembered for as long as
 * was promised, and for what was under way by then; and a checked tool that has been hung up on
 * does what it still does within {@link #SETTLES}, and shows it by then.
 */
final class Provider {
  /** How long a request may be on its way. */
  private static final Duration LATEST = Duration.ofSeconds(60);

  /** How long after the end of an attempt a check may miss its effect. */
  static final Duration SETTLES = Duration.ofSeconds(6);

  private static final Duration HALF_OF_SETTLES = SETTLES.dividedBy(2);

  /** Something that was done, and can be seen from then on. */
  record Execution(Send send, long atNanos, long visibleNanos, String result, boolean ownError) {}

  /** One attempt as it reached the wire. */
  static final class Send {
    final String call;
    final String key;
    final Request request;
    final Attempt attempt;
    final long begunNanos;
    final Turns.Actor sender;
    private final Book.Entry.Opened opened;
    private final Gateway gateway;

    /** When the sender hung up, whether it had an answer, had enough, or was killed. */
    @Nullable Long endedNanos;

    /** Null where the sender was killed before it had one. */
    @Nullable Reply<String> reply;

    /** Whether it may still be executed. */
    boolean pending;

    /** Whether it is executed with an error to report, which is the tool's own answer. */
    private boolean ownError;

    private int plans;
    private @Nullable Reply<String> delivered;

    Send(
        Book.Entry.Opened opened,
        Attempt attempt,
        long begunNanos,
        Turns.Actor sender,
        Gateway gateway) {
      this.opened = opened;
      this.call = opened.call();
      this.request = opened.request();
      this.key = opened.key();
      this.attempt = attempt;
      this.begunNanos = begunNanos;
      this.sender = sender;
      this.gateway = gateway;
    }

    /** Whether the sender must think that it may have been executed. */
    boolean mayHaveRun() {
      return switch (reply) {
        case null -> true;
        case Reply.Answered<String> _ -> true;
        case Reply.Failed<String> failed -> failed.failure().mayHaveRun();
      };
    }

    @Override
    public String toString() {
      return "%s #%d %d..%d %s"
          .formatted(call, attempt.number(), begunNanos, endedNanos, reply == null ? "-" : reply);
    }
  }

  private enum Way {
    ANSWERS,
    DOES_AND_IS_SILENT,
    NEVER_ARRIVES,
    BREAKS,
    GARBLES,
    FAILS,
    ANSWERS_TOO_MUCH,
    REPORTS_AN_ERROR,
    NOT_SENT,
    REFUSES,
    LIMITS
  }

  /** What the provider remembers under a key. */
  private record Kept(Request request, long atNanos, String result) {}

  private final SimulatedTime time;
  private final SplittableRandom random;
  private final @Nullable Duration expires;
  private final Map<String, Kept> keys = new HashMap<>();
  private final List<Send> sends = new ArrayList<>();
  private final List<Execution> ledger = new ArrayList<>();

  /** Null forgets no key. */
  Provider(SimulatedTime time, SplittableRandom random, @Nullable Duration expires) {
    this.time = time;
    this.random = random;
    this.expires = expires;
  }

  /** Makes an attempt, on the sender's thread. */
  Reply<String> attempt(Send send) {
    sends.add(send);
    if (send.sender.cancelled()) {
      send.endedNanos = time.nanos();
      send.reply = cancelled(false);
      return send.reply;
    }
    Way way = Draw.oneIn(random, 4) ? Way.ANSWERS : Draw.of(random, Way.values());
    plan(send, way);
    try {
      send.sender.sleep(send.attempt.deadline().left(time));
      send.reply = reply(send, way);
      return send.reply;
    } finally {
      send.endedNanos = time.nanos();
      hungUp(send);
    }
  }

  private Reply<String> reply(Send send, Way way) {
    if (send.delivered != null) {
      return send.delivered;
    }
    boolean sent = way != Way.NOT_SENT;
    if (send.sender.cancelled()) {
      return cancelled(sent);
    }
    return Reply.failed(
        sent
            ? new Failure.TimedOut(
                Duration.ofNanos(time.nanos() - send.begunNanos), Failure.TimedOut.Timer.DEADLINE)
            : new Failure.NotSent("no connection"));
  }

  private static Reply<String> cancelled(boolean sent) {
    return Reply.failed(new Failure.Cancelled(Failure.Cancelled.By.CLIENT, sent));
  }

  private void plan(Send send, Way way) {
    switch (way) {
      case ANSWERS -> execute(send, false, true);
      case DOES_AND_IS_SILENT -> execute(send, false, false);
      case NEVER_ARRIVES -> {}
      case BREAKS -> fail(send, true, new Failure.Broken("reset"));
      case GARBLES -> fail(send, true, new Failure.Garbled("<html>"));
      case FAILS -> fail(send, true, new Failure.ServerError(503, "503"));
      case ANSWERS_TOO_MUCH -> fail(send, true, new Failure.TooLarge(2, 1));
      case NOT_SENT -> fail(send, false, new Failure.NotSent("connection refused"));
      case REFUSES -> fail(send, false, new Failure.Refused(403, "403"));
      case LIMITS ->
          fail(
              send,
              false,
              new Failure.Limited(
                  Draw.oneIn(random, 2) ? null : Draw.duration(random, 1, 30_000), "429"));
      case REPORTS_AN_ERROR -> {
        if (Draw.oneIn(random, 4)) {
          execute(send, true, false);
        }
        deliver(
            send, onTheWay(), new Reply.Failed<>(Failure.ToolError.PLAIN, "error of " + send.call));
      }
    }
  }

  private void fail(Send send, boolean perhapsExecuted, Failure failure) {
    if (perhapsExecuted && Draw.oneIn(random, 2)) {
      execute(send, false, false);
    }
    deliver(send, onTheWay(), Reply.failed(failure));
  }

  private void execute(Send send, boolean ownError, boolean answers) {
    send.pending = true;
    send.ownError = ownError;
    executeAfter(onTheWay(), send, answers);
  }

  private void executeAfter(Duration delay, Send send, boolean answers) {
    int number = ++send.plans;
    time.after(
        delay,
        () -> {
          if (send.pending && send.plans == number) {
            send.pending = false;
            Reply<String> reply = execute(send);
            if (answers) {
              Duration back = onTheWay();
              deliver(send, back, reply);
              if (Draw.oneIn(random, 8)) {
                deliver(send, back.plusMillis(1), reply);
              }
            }
          }
        });
  }

  private Reply<String> execute(Send send) {
    if (send.request.tool().recognition == Recognition.KEY) {
      Kept kept = keys.get(send.key);
      if (kept != null && remembers(kept)) {
        return kept.request().sameArguments(send.request)
            ? new Reply.Answered<>(kept.result())
            : Reply.failed(new Failure.KeyConflict("other arguments"));
      }
    }
    String result = "result " + ledger.size() + " of " + send.call;
    if (send.request.tool().effect == Effect.WRITE) {
      long seen = time.nanos() + Draw.duration(random, 1, HALF_OF_SETTLES.toMillis()).toNanos();
      ledger.add(new Execution(send, time.nanos(), seen, result, send.ownError));
      if (!send.ownError) {
        keys.put(send.key, new Kept(send.request, time.nanos(), result));
      }
    }
    return new Reply.Answered<>(result);
  }

  private boolean remembers(Kept kept) {
    return expires == null || time.nanos() - kept.atNanos() <= expires.plus(LATEST).toNanos();
  }

  private void deliver(Send send, Duration delay, Reply<String> reply) {
    time.after(
        delay,
        () -> {
          if (send.endedNanos != null) {
            send.gateway.late(send.opened, send, reply);
          } else if (send.delivered == null) {
            send.delivered = reply;
            send.sender.wake();
          }
        });
  }

  /** The sender listens no more: what has not been done by then may be dropped. */
  private void hungUp(Send send) {
    if (!send.pending) {
      return;
    }
    if (Draw.oneIn(random, 3)) {
      send.pending = false;
    } else if (send.request.tool() == Tool.CHECKED) {
      executeAfter(Draw.duration(random, 1, HALF_OF_SETTLES.toMillis()), send, false);
    }
  }

  private Duration onTheWay() {
    return Draw.oneIn(random, 4)
        ? Draw.duration(random, 1, LATEST.toMillis())
        : Draw.duration(random, 1, 1_000);
  }

  /** What a check sees: the effect that has this key as its marker; null where there is none. */
  @Nullable String look(String key) {
    return ledger.stream()
        .filter(done -> done.send().key.equals(key) && done.visibleNanos() - time.nanos() <= 0)
        .map(Execution::result)
        .findFirst()
        .orElse(null);
  }

  /** Whether something is still under way that may yet be done. */
  boolean pending(String key) {
    return sends.stream().anyMatch(send -> send.pending && send.key.equals(key));
  }

  List<Send> sends() {
    return sends;
  }

  List<Execution> ledger() {
    return ledger;
  }
}
