package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.Replay;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Journal;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Recognition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The journal as one call sees it: knows what must be on disk before what, and what is kept of a
 * result. A write waits for the disk twice: before its first byte leaves, and before its outcome is
 * told. A read never does, and a read that can't be recorded is made all the same.
 */
final class CallJournal implements Journal {
  private static final System.Logger LOG = System.getLogger(CallJournal.class.getName());

  private final JournalStore store;
  private final CallRecord call;
  private final Contents contents;
  private final @Nullable String resend;
  private final Secrets secrets;
  private final InstantSource clock;
  private Supplier<Evidence> evidence = () -> Evidence.NONE;
  private Consumer<Outcome<?>> beforeEnd = _ -> {};
  private boolean begun;
  private Duration held = Duration.ZERO;
  private @Nullable Duration retryAfter;

  /**
   * The journal of one call.
   *
   * @param resend what a later process needs to take it up; null where none could
   */
  CallJournal(
      JournalStore store,
      CallRecord call,
      Contents contents,
      @Nullable String resend,
      Secrets secrets,
      InstantSource clock) {
    this.store = store;
    this.call = call;
    this.contents = contents;
    this.resend = resend;
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

  /** The call is about to be made. Reaches the disk with its first attempt, at the latest. */
  void opened() {
    write(() -> store.openCall(call, resend, Durability.SOON));
  }

  /** Whether a repeat of the call is answered with what the call was answered with. */
  static boolean isReplayed(CallRecord call) {
    return call.step() != null || call.recognition() != Recognition.NONE;
  }

  @Override
  public void takenUp(int number, Failure failure, Decision decision) {
    begun = true;
    AttemptEnd end =
        new AttemptEnd(
            null, redacted(FailureRecord.of(failure)), redacted(decision), Evidence.NONE);
    write(() -> store.endAttempt(call.id(), number, end, Durability.SOON));
  }

  @Override
  public void begun(Attempt attempt) {
    AttemptRecord begins = AttemptRecord.of(attempt, clock.instant(), held);
    write(() -> store.beginAttempt(call.id(), begins, onDisk()));
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
    Evidence seen = evidence.get();
    AttemptEnd end =
        new AttemptEnd(waited, redacted(FailureRecord.of(failure)), redacted(decision), seen);
    // What follows it, a further attempt or the call's end, takes it to the disk.
    write(() -> store.endAttempt(call.id(), attempt.number(), end, Durability.SOON));
  }

  @Override
  public void ended(Outcome<?> outcome) {
    beforeEnd.accept(outcome);
    Replay replay =
        outcome instanceof Outcome.Ok<?>(Object result, _)
                && result instanceof Json json
                && isReplayed(call)
            ? contents.replay(json)
            : null;
    // What a repeat is answered with must be there when it comes.
    Durability durability = replay == null ? onDisk() : Durability.ON_DISK;
    write(() -> store.endCall(call.id(), ending(outcome), replay, durability));
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
    try {
      record.run();
    } catch (JournalException e) {
      if (call.effect() == Effect.WRITE) {
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
