package dev.callbound.journal.sqlite;

import dev.callbound.journal.Durability;
import dev.callbound.journal.JournalException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Something to be written, and whoever waits for it.
 *
 * @param <T> what it brings back
 */
final class Write<T> {
  /** The writing itself: it changes something, or throws and has changed nothing. */
  interface Action<T> {
    T apply(Sql sql) throws SQLException, InconsistentException;
  }

  /** An action that brings nothing back. */
  interface Step {
    void apply(Sql sql) throws SQLException, InconsistentException;
  }

  /** Where a write stands among the writes of a call. */
  enum Part {
    SOME,
    LAST
  }

  private static final int CHARS_PER_UNIT = 1_024;

  private final @Nullable String call;
  private final Part part;
  private final Durability durability;
  private final int weight;
  private final Action<T> action;
  private final CompletableFuture<T> done = new CompletableFuture<>();

  /** Tells the waiter; set once it has been applied, run once that is on disk. */
  private @Nullable Runnable result;

  private Write(
      @Nullable String call, Part part, Durability durability, int chars, Action<T> action) {
    this.call = call;
    this.part = part;
    this.durability = durability;
    this.weight = 1 + chars / CHARS_PER_UNIT;
    this.action = action;
  }

  /** A write that somebody waits for. */
  static <T> Write<T> awaited(Action<T> action) {
    return new Write<>(null, Part.SOME, Durability.ON_DISK, 0, action);
  }

  /** A write that somebody waits for, and that belongs to no call. */
  static Write<?> awaitedStep(Step step) {
    return new Write<>(null, Part.SOME, Durability.ON_DISK, 0, action(step));
  }

  /** A write that nobody waits for, and that belongs to no call. */
  static Write<?> unawaitedStep(Step step) {
    return new Write<>(null, Part.SOME, Durability.SOON, 0, action(step));
  }

  /**
   * A write of a call.
   *
   * @param payloads what may be large in it; null where there is nothing
   */
  static Write<?> ofCall(
      String call, Part part, Durability durability, Step step, @Nullable String... payloads) {
    int chars = 0;
    for (String payload : payloads) {
      chars += payload == null ? 0 : payload.length();
    }
    return new Write<>(call, part, durability, chars, action(step));
  }

  private static Action<Boolean> action(Step step) {
    return sql -> {
      step.apply(sql);
      return true;
    };
  }

  @Nullable String call() {
    return call;
  }

  boolean isLastOfCall() {
    return part == Part.LAST;
  }

  boolean isAwaited() {
    return durability == Durability.ON_DISK;
  }

  /** How much room it takes in the queue: about one for each KiB. */
  int weight() {
    return weight;
  }

  void apply(Sql sql) throws SQLException, InconsistentException {
    T value = action.apply(sql);
    result = () -> done.complete(value);
  }

  /** It is on disk. */
  void succeed() {
    if (result != null) {
      result.run();
    }
  }

  void fail(JournalException failure) {
    done.completeExceptionally(failure);
  }

  /** Has something run, by the writing thread, once it is on disk or has failed. */
  void whenDone(Runnable action) {
    var _ = done.whenComplete((_, _) -> action.run());
  }

  boolean hasFailed() {
    return done.isCompletedExceptionally();
  }

  /** Waits until it is on disk, without heeding interrupts; the interrupt flag is left as it is. */
  T await() {
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof JournalException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
