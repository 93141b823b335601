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
abstract sealed class Write<T> permits Write.Acting, CallWrite {
  /** The writing itself: it changes something, or throws and has changed nothing. */
  interface Action<T> {
    T apply(Sql sql) throws SQLException, InconsistentException;
  }

  /** An action that brings nothing back. */
  interface Step {
    void apply(Sql sql) throws SQLException, InconsistentException;
  }

  private static final int CHARS_PER_UNIT = 1_024;

  private final Durability durability;
  private final int weight;
  private final CompletableFuture<T> done = new CompletableFuture<>();

  /** Tells the waiter; set once it has been applied, run once that is on disk. */
  private @Nullable Runnable result;

  /**
   * A write that is about to be handed in.
   *
   * @param chars how large what may be large in it is
   */
  Write(Durability durability, int chars) {
    this.durability = durability;
    this.weight = 1 + chars / CHARS_PER_UNIT;
  }

  /** A write that somebody waits for. */
  static <T> Write<T> awaited(Action<T> action) {
    return new Acting<>(Durability.ON_DISK, action);
  }

  /** A write that somebody waits for, and that belongs to no call. */
  static Write<?> awaitedStep(Step step) {
    return new Acting<>(Durability.ON_DISK, action(step));
  }

  /** A write that nobody waits for, and that belongs to no call. */
  static Write<?> unawaitedStep(Step step) {
    return new Acting<>(Durability.SOON, action(step));
  }

  private static Action<Boolean> action(Step step) {
    return sql -> {
      step.apply(sql);
      return true;
    };
  }

  /** Writes it. */
  abstract T perform(Sql sql) throws SQLException, InconsistentException;

  /** The call that it belongs to; null where it belongs to none. */
  @Nullable String call() {
    return null;
  }

  boolean isLastOfCall() {
    return false;
  }

  boolean isAwaited() {
    return durability == Durability.ON_DISK;
  }

  /** How much room it takes in the queue: about one for each KiB. */
  int weight() {
    return weight;
  }

  void apply(Sql sql) throws SQLException, InconsistentException {
    T value = perform(sql);
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

  /** A write that belongs to no call. */
  static final class Acting<T> extends Write<T> {
    private final Action<T> action;

    private Acting(Durability durability, Action<T> action) {
      super(durability, 0);
      this.action = action;
    }

    @Override
    T perform(Sql sql) throws SQLException, InconsistentException {
      return action.apply(sql);
    }
  }
}
