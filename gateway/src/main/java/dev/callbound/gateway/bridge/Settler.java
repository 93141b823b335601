package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settling;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of writes that ended unknown: from an answer that comes late, from a check
 * that is tried again for a while, from a later call under the same key. Whatever is learnt first
 * settles the call, for good. Thread-safe.
 */
final class Settler implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Settler.class.getName());

  private static final String GATEWAY = Settlings.GATEWAY;
  private static final int MOST_LATE_WINDOWS = 256;
  private static final int CHECKS_AT_ONCE = 8;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** How long one round of asking may take, a lagging index included. */
  private static final Duration ONE_ROUND = Duration.ofMinutes(2);

  private final JournalStore journal;
  private final InstantSource clock;
  private final Settlings settlings;
  private final LateWindows windows = new LateWindows(MOST_LATE_WINDOWS);
  private final Semaphore checks = new Semaphore(CHECKS_AT_ONCE);
  private final Set<Thread> asking = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Settler(JournalStore journal, InstantSource clock, ContentsByTool contents) {
    this.journal = journal;
    this.clock = clock;
    this.settlings = new Settlings(contents, clock);
  }

  /** Listens for the answer of an attempt whose time is over. */
  void listen(Order order, WriteAttempt.Pending pending, Duration window) {
    windows.open(
        order.record().id(), pending, order.run(), window, (reply, age) -> late(order, reply, age));
  }

  private void late(Order order, Reply<Json> reply, Duration age) {
    String when = "a late answer, after " + age.toMillis() + " ms";
    String call = order.record().id();
    switch (reply) {
      case Reply.Answered<Json>(Json result) ->
          settle(settlings.landed(call, result, order, SettledBy.LATE_ANSWER, order.tool(), when));
      case Reply.Failed<Json>(Failure _, @Nullable Json answer)
          when answer != null && order.record().recognition() == Recognition.NONE ->
          settle(
              settlings.stopped(
                  call,
                  Reason.Stopped.TOOL_ERROR,
                  SettledBy.LATE_ANSWER,
                  order.tool(),
                  when + ": the tool's own error"));
      case Reply.Failed<Json>(Failure failure, _)
          when !failure.mayHaveRun() && order.record().recognition() == Recognition.NONE ->
          // It answers the only attempt that can have arrived: nothing was done.
          settle(
              settlings.stopped(
                  call,
                  Reason.Stopped.REFUSED,
                  SettledBy.LATE_ANSWER,
                  order.tool(),
                  when + ": " + failure.detail()));
      case Reply.Failed<Json>(Failure failure, _) ->
          LOG.log(System.Logger.Level.INFO, "call={0} late={1} settled=no", call, failure.kind());
    }
  }

  /**
   * A following call has learnt that the first had happened.
   *
   * @param byCheck whether a check said so; else the answer to a repeat under the same key
   */
  void landed(String first, Json result, Order following, boolean byCheck) {
    settle(
        byCheck
            ? settlings.landed(first, result, following, SettledBy.CHECK, GATEWAY, Settlings.FOUND)
            : settlings.landed(
                first,
                result,
                following,
                SettledBy.REPEAT,
                GATEWAY,
                "call " + following.record().id() + " got the answer under the same key"));
  }

  /** A check has shown that the first call did not happen. */
  void absent(String first) {
    settle(settlings.absent(first, SettledBy.CHECK, GATEWAY, Settlings.NOT_FOUND));
  }

  /**
   * Asks again, with longer and longer pauses, until the call is settled or the time for it is
   * over.
   *
   * @param attemptEnded the reading of the monotonic clock when its last attempt was given up
   */
  void keepAsking(Order order, long attemptEnded) {
    Deadline until = new Deadline(attemptEnded + order.bounds().settleFor().toNanos());
    if (closed || order.bounds().settleFor().isZero()) {
      return;
    }
    Thread thread =
        Thread.ofVirtual()
            .name("settle")
            .unstarted(
                () -> {
                  try {
                    askUntil(order, attemptEnded, until);
                  } catch (InterruptedException _) {
                    // The gateway stops; the next one goes on with it.
                  } finally {
                    asking.remove(Thread.currentThread());
                  }
                });
    asking.add(thread);
    thread.start();
  }

  private void askUntil(Order order, long attemptEnded, Deadline until)
      throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    while (!closed && System.nanoTime() + pause.toNanos() - until.atNanos() < 0) {
      Thread.sleep(pause);
      try {
        if (isKnownNow(order, attemptEnded)) {
          return;
        }
      } catch (JournalException e) {
        // The disk may have space again in the next round.
        LOG.log(
            System.Logger.Level.WARNING,
            "call={0} settled=no {1}",
            order.record().id(),
            e.getMessage());
      }
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
  }

  /** One round: whether there is nothing more to ask, for it is known how the call ended. */
  private boolean isKnownNow(Order order, long attemptEnded) throws InterruptedException {
    String call = order.record().id();
    if (!isUnknown(call)) {
      return true;
    }
    Finding<Json> found;
    checks.acquire();
    try {
      found = ask(order, attemptEnded);
    } finally {
      checks.release();
    }
    // Somebody else may have settled it meanwhile, and the effect that was seen be a later one's.
    return !isUnknown(call) || (!isBeingMade(order) && learnt(order, found, GATEWAY));
  }

  /** Asks once, now. On this thread. */
  Finding<Json> ask(Order order, long attemptEnded) {
    if (!(order.recognise() instanceof Recognise.ByCheck how)) {
      return new Finding.Unclear<>("the tool " + order.tool() + " has no check");
    }
    Cancellation cancellation = new Cancellation();
    cancellation.begin();
    try {
      return new Checker(
              order.server(), how, order.arguments(), order.key(), order.caller(), cancellation)
          .ask(Deadline.after(ONE_ROUND, cancellation), attemptEnded);
    } finally {
      cancellation.end();
    }
  }

  /** Takes over what was found. Returns whether that told anything. */
  boolean learnt(Order order, Finding<Json> found, String who) {
    String call = order.record().id();
    switch (found) {
      case Finding.Landed<Json>(Json result) ->
          settle(settlings.landed(call, result, order, SettledBy.CHECK, who, Settlings.FOUND));
      case Finding.Absent<Json> _ ->
          settle(settlings.absent(call, SettledBy.CHECK, who, Settlings.NOT_FOUND));
      case Finding.Unclear<Json>(String why) -> {
        LOG.log(System.Logger.Level.DEBUG, "call={0} settled=no {1}", call, why);
        return false;
      }
    }
    return true;
  }

  /** Takes over what somebody says about a call. */
  SettleResult said(String call, boolean landed, SettledBy by, String who, @Nullable String note) {
    return settle(
        Settling.without(
            call,
            landed ? Ending.Status.OK : Ending.Status.STOPPED,
            who + " says that it " + (landed ? "happened" : "did not happen"),
            by,
            who,
            note,
            clock.instant()));
  }

  /** Whether a call that means the same is under way: it finds out itself. */
  private boolean isBeingMade(Order order) {
    return journal.latestOfKey(order.key()).filter(latest -> latest.ending() == null).isPresent();
  }

  private boolean isUnknown(String call) {
    Optional<CallRecord> now = journal.call(call);
    return now.map(CallRecord::ending)
        .filter(ending -> ending.status() == Ending.Status.UNKNOWN)
        .isPresent();
  }

  private SettleResult settle(Settling settling) {
    SettleResult result = journal.settle(settling);
    LOG.log(
        result == SettleResult.DIVERGENT ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
        "call={0} to={1} by={2} result={3}",
        settling.call(),
        settling.to().code(),
        settling.by().code(),
        result);
    return result;
  }

  /** Stops listening and asking; what is unknown stays so until the next start. */
  @Override
  public void close() {
    closed = true;
    windows.close();
    asking.forEach(Thread::interrupt);
  }
}
