package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.Replay;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.TaskStore;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Past;
import dev.callbound.policy.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls wait until a person says that they may be made. What is said reaches the journal
 * first, from whatever process; a call that waits here hears of it within half a second.
 * Thread-safe.
 */
public final class Approvals implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Approvals.class.getName());

  private static final String GATEWAY = Settlings.GATEWAY;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final TaskStore store;
  private final InstantSource clock;
  private final Map<String, CompletableFuture<Ruling>> waiting = new ConcurrentHashMap<>();
  private final Thread looker = Thread.ofVirtual().name("approvals").unstarted(this::look);

  private Approvals(TaskStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Approvals that are remembered there. */
  static Approvals in(TaskStore store, InstantSource clock) {
    Approvals approvals = new Approvals(store, clock);
    approvals.looker.start();
    return approvals;
  }

  /**
   * Rules on a call that waits for a person. On disk when it returns.
   *
   * @param who a name for people
   * @param note what they have to say about it; null for nothing
   * @throws JournalException if it can't be recorded
   */
  public Ruling.Result rule(String call, Ruling.Kind kind, String who, @Nullable String note) {
    Ruling.Result result = store.rule(call, new Ruling(kind, clock.instant(), who, note));
    tell(call);
    return result;
  }

  /** What is known of a call's waiting; empty where it never waited for a person. */
  public Optional<ApprovalRecord> of(String call) {
    return store.approval(call);
  }

  /**
   * Whether a call may only be made once a person has said so.
   *
   * @param past what has happened of it; what has begun is not asked about any more
   * @param detached whether it is one that may have waited in an earlier process
   */
  boolean isNeeded(Order order, Past past, boolean detached) {
    return past.attempts() == 0
        && (order.needsApproval() || (detached && store.approval(order.record().id()).isPresent()));
  }

  /**
   * Records that the call waits, unless it did so in an earlier process.
   *
   * @param sent what the server will get
   */
  void ask(Order order, Json sent, Contents contents) {
    String call = order.record().id();
    if (store.approval(call).isPresent()) {
      return;
    }
    Instant now = clock.instant();
    Instant until = now.plus(order.bounds().waiting().approveWithin());
    Instant end = order.run().record().deadline();
    Replay shown = contents.replay(sent);
    store.ask(
        new ApprovalRecord(
            call, now, until.isAfter(end) ? end : until, shown.result(), shown.masked(), null),
        TaskBook.keptUntil(order.run().record()),
        contents.whole(order.params().toJson()));
    LOG.log(
        System.Logger.Level.INFO,
        "run={0} call={1} server={2} tool={3} waits_for=approval",
        order.run().id(),
        call,
        order.record().server(),
        order.tool());
  }

  /**
   * Waits until somebody has ruled on the call, or it is too late.
   *
   * @return how the call ends instead of being made; null when it may be made
   */
  Outcome.@Nullable Stopped<Json> await(Order order) throws InterruptedException {
    String call = order.record().id();
    CompletableFuture<Ruling> coming = new CompletableFuture<>();
    waiting.put(call, coming);
    try {
      ApprovalRecord asked = store.approval(call).orElseThrow();
      Ruling ruling = asked.ruling() != null ? asked.ruling() : await(asked, coming);
      LOG.log(
          System.Logger.Level.INFO,
          "run={0} call={1} ruling={2}",
          order.run().id(),
          call,
          ruling.kind().code());
      return outcome(ruling, Duration.between(asked.askedAt(), asked.until()));
    } finally {
      waiting.remove(call);
    }
  }

  private Ruling await(ApprovalRecord asked, CompletableFuture<Ruling> coming)
      throws InterruptedException {
    Duration left = Duration.between(clock.instant(), asked.until());
    try {
      return coming.get(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      Ruling lapsed = new Ruling(Ruling.Kind.LAPSED, clock.instant(), GATEWAY, null);
      // Somebody may just have ruled: what stands in the journal counts.
      store.rule(asked.call(), lapsed);
      return store.approval(asked.call()).map(ApprovalRecord::ruling).orElse(lapsed);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a ruling never fails", e);
    }
  }

  private static Outcome.@Nullable Stopped<Json> outcome(Ruling ruling, Duration within) {
    return switch (ruling.kind()) {
      case APPROVED -> null;
      case DENIED ->
          new Outcome.Stopped<>(
              Reason.Stopped.DENIED,
              ruling.who() + " denied it" + (ruling.note() == null ? "" : ": " + ruling.note()),
              0,
              null);
      case LAPSED ->
          new Outcome.Stopped<>(
              Reason.Stopped.DEADLINE_EXCEEDED,
              "nobody approved it within " + Answers.spoken(within),
              0,
              null);
    };
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(BETWEEN_LOOKS);
        if (waiting.isEmpty()) {
          continue;
        }
        try {
          store.ruled().stream().filter(waiting::containsKey).forEach(this::tell);
        } catch (JournalException e) {
          LOG.log(System.Logger.Level.WARNING, "approvals=not_read {0}", e.getMessage());
        } catch (RuntimeException e) {
          // A bug; whoever waits must hear of what is said later all the same.
          LOG.log(System.Logger.Level.ERROR, "approvals=failed_unexpectedly", e);
        }
      }
    } catch (InterruptedException _) {
      // Closed: what still waits is left to the next process.
    }
  }

  private void tell(String call) {
    CompletableFuture<Ruling> coming = waiting.get(call);
    Ruling ruling = coming == null ? null : of(call).map(ApprovalRecord::ruling).orElse(null);
    if (coming != null && ruling != null) {
      coming.complete(ruling);
    }
  }

  @Override
  public void close() {
    looker.interrupt();
  }
}
