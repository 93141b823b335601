package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.LastAttempt;
import dev.callbound.journal.Replay;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Journal;
import dev.callbound.policy.Money;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Recognition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The journal as one call sees it: knows what must be on disk before what, and what is kept of a
 * result. A write waits for the disk twice: before its first byte leaves, and before its outcome is
 * told. A read never does, and a read that can't be recorded is made all the same; but for one that
 * costs something, whose attempts are on disk before they are sent.
 */
final class CallJournal implements Journal {
  private static final System.Logger LOG = System.getLogger(CallJournal.class.getName());

  private final JournalStore store;
  private final CallRecord call;
  private final Contents contents;
  private final @Nullable String resend;
  private final JsonObject params;
  private final Money price;
  private final Secrets secrets;
  private final InstantSource clock;
  private Supplier<Evidence> evidence = () -> Evidence.NONE;
  private Consumer<Outcome<?>> beforeEnd = _ -> {};
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private volatile boolean leftOpen;
  private boolean begun;
  private @Nullable LastAttempt last;
  private Duration held = Duration.ZERO;
  private @Nullable Duration retryAfter;

  /** Whether somebody comes back for the call. */
  private enum State {
    /** Nobody so far. */
    OPEN,
    /** Somebody does: how it ends is kept for them. */
    DETACHED,
    /** Nobody did before it ended. */
    ENDED
  }

  /**
   * The journal of one call.
   *
   * @param resend what a later process needs to take it up; null where none could
   * @param params the call's parameters, as the client gave them: what a later process needs once
   *     somebody comes back for the call
   * @param price what each of its attempts costs
   */
  CallJournal(
      JournalStore store,
      CallRecord call,
      Contents contents,
      @Nullable String resend,
      JsonObject params,
      Money price,
      Secrets secrets,
      InstantSource clock) {
    this.store = store;
    this.call = call;
    this.contents = contents;
    this.resend = resend;
    this.params = params;
    this.price = price;
    this.secrets = secrets;
    this.clock = clock;
  }

  /** Names where the evidence of the attempt that has just ended is to be had. */
  void evidence(Supplier<Evidence> source) {
    evidence = source;
  }

  /** Sets what is done before the call's end is recorded. */
  void beforeEnd(Consumer<Outcome<?>> action) {
    beforeEnd = action;
  }

  /** The next attempt has waited for its turn. */
  void held(Duration wait) {
    held = wait;
  }

  /** Whether an attempt was begun, and so may have been sent. */
  boolean begun() {
    return begun;
  }

  /** The time that the provider named last; null when it named none. */
  @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /** What is kept of arguments and results. */
  Contents contents() {
    return contents;
  }

  /** An earlier process, or something that is on its way to the disk, says that somebody will. */
  void detaching() {
    state.compareAndSet(State.OPEN, State.DETACHED);
  }

  /**
   * Records that somebody comes back for the call. On disk when it returns. Any thread may call it.
   *
   * @return false when it can't be recorded
   */
  boolean detach(Instant keptUntil) {
    // From here on the end is kept for whoever comes back; if it has been recorded, it is as it is.
    detaching();
    try {
      store.tasks().detach(call.id(), clock.instant(), keptUntil, contents.whole(params.toJson()));
      return true;
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.WARNING, "call={0} detached=no {1}", call.id(), e.getMessage());
      return false;
    }
  }

  /** Whether somebody comes back for the call. */
  boolean isDetached() {
    return state.get() == State.DETACHED;
  }

  /** The server's own error is what the call is answered with. */
  void failed(RpcError error) {
    if (isDetached()) {
      write(
          () -> store.tasks().failed(call.id(), contents.replay(error.toJson().toJson()).result()));
    }
  }

  /** Thrown in place of beginning an attempt of a call that is left to the next process. */
  static final class LeftOpenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private LeftOpenException() {
      super("the call goes on in the next process");
    }
  }

  /** Records nothing more: the call goes on in the next process, as after a crash. */
  void leaveOpen() {
    leftOpen = true;
  }

  boolean isLeftOpen() {
    return leftOpen;
  }

  /** The call is about to be made. Reaches the disk with its first attempt, at the latest. */
  void opened() {
    write(() -> store.openCall(call, resend, Durability.SOON));
  }

  /** Whether a repeat of the call is answered with what the call was answered with. */
  private static boolean isReplayed(CallRecord call) {
    return call.step() != null || call.recognition() != Recognition.NONE;
  }

  @Override
  public void takenUp(int number, Failure failure, Decision decision) {
    begun = true;
    attemptEnded(number, null, failure, decision, Evidence.NONE);
  }

  /**
   * {@inheritDoc}
   *
   * @throws LeftOpenException if the next process is to make it
   */
  @Override
  public void begun(Attempt attempt) {
    if (leftOpen) {
      throw new LeftOpenException();
    }
    AttemptRecord begins = AttemptRecord.of(attempt, clock.instant(), held, price);
    // What is paid is on disk first as well: a restart must not refill the purse.
    boolean binding = call.effect() == Effect.WRITE || !price.isZero();
    // Left open from here on, it is on record all the same, as one that its process did not
    // survive.
    record(
        () -> store.beginAttempt(call.id(), begins, binding ? Durability.ON_DISK : Durability.SOON),
        binding);
    begun = true;
  }

  @Override
  public void ended(
      Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision) {
    retryAfter =
        switch (failure) {
          case Failure.Limited limited -> limited.retryAfter();
          case Failure.ToolError error -> error.retryAfter();
          case null, default -> null;
        };
    attemptEnded(attempt.number(), waited, failure, decision, evidence.get());
  }

  private void attemptEnded(
      int number,
      @Nullable Duration waited,
      @Nullable Failure failure,
      Decision decision,
      Evidence seen) {
    AttemptEnd end =
        new AttemptEnd(waited, redacted(FailureRecord.of(failure)), redacted(decision), seen);
    if (decision.action() == Decision.Action.RETRY) {
      // The next attempt takes it to the disk.
      write(() -> store.endAttempt(call.id(), number, end, Durability.SOON));
    } else {
      // With the end of the call, so that there is never the one without the other.
      last = new LastAttempt(number, end);
    }
  }

  @Override
  public void ended(Outcome<?> outcome) {
    if (leftOpen) {
      return;
    }
    beforeEnd.accept(outcome);
    boolean detached = !state.compareAndSet(State.OPEN, State.ENDED);
    Replay replay = kept(outcome, detached);
    // What those are answered with who repeat it or come back must be there when they do.
    Durability durability = detached || replay != null ? Durability.ON_DISK : onDisk();
    write(() -> store.endCall(call.id(), last, ending(outcome), replay, durability));
  }

  private @Nullable Replay kept(Outcome<?> outcome, boolean detached) {
    Object result =
        switch (outcome) {
          case Outcome.Ok<?>(Object answer, _) when detached || isReplayed(call) -> answer;
          case Outcome.Stopped<?> stopped when detached -> stopped.answer();
          case Outcome.Ok<?> _, Outcome.Stopped<?> _, Outcome.Unknown<?> _ -> null;
        };
    return result instanceof Json json ? contents.replay(json) : null;
  }

  private Ending ending(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Ok<?>(Object result, int attempts) ->
          withResult(Ending.Status.OK, null, "", attempts, result);
      case Outcome.Stopped<?> stopped ->
          withResult(
              Ending.Status.STOPPED,
              stopped.reason(),
              secrets.redact(stopped.detail()),
              stopped.attempts(),
              stopped.answer());
      case Outcome.Unknown<?> unknown ->
          withResult(
              Ending.Status.UNKNOWN,
              unknown.reason(),
              secrets.redact(unknown.detail()),
              unknown.attempts(),
              null);
    };
  }

  private Ending withResult(
      Ending.Status status,
      dev.callbound.policy.@Nullable Reason reason,
      String detail,
      int attempts,
      @Nullable Object result) {
    return result instanceof Json json
        ? new Ending(
            status,
            reason,
            detail,
            attempts,
            clock.instant(),
            Contents.digestOfResult(json),
            json.length(),
            contents.kept(json))
        : Ending.without(status, reason, detail, attempts, clock.instant());
  }

  private Durability onDisk() {
    return call.effect() == Effect.WRITE ? Durability.ON_DISK : Durability.SOON;
  }

  private void write(Runnable record) {
    if (!leftOpen) {
      record(record, call.effect() == Effect.WRITE);
    }
  }

  /**
   * Writes a record.
   *
   * @param binding whether the call can't go on without it
   */
  private void record(Runnable record, boolean binding) {
    try {
      record.run();
    } catch (JournalException e) {
      if (binding) {
        throw e;
      }
      LOG.log(System.Logger.Level.WARNING, "call={0} recorded=no {1}", call.id(), e.getMessage());
    }
  }

  private @Nullable FailureRecord redacted(@Nullable FailureRecord failure) {
    return failure == null
        ? null
        : new FailureRecord(failure.kind(), secrets.redact(failure.detail()), failure.mayHaveRun());
  }

  private Decision redacted(Decision decision) {
    return new Decision(decision.action(), decision.pause(), secrets.redact(decision.why()));
  }
}
