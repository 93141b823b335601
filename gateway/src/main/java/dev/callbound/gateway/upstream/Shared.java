package dev.callbound.gateway.upstream;

import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thing that many need and one makes: a session with a server, say. While it is being made,
 * others wait for the same; whoever gives up waiting does not end the making. A failure is told to
 * all who waited for it and is not remembered. Thread-safe.
 *
 * @param <T> what is shared
 */
public final class Shared<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final String what;
  private @Nullable T value;
  private @Nullable CompletableFuture<Reply<T>> making;
  private @Nullable Thread maker;

  /**
   * @param what the name of the thread that makes it
   */
  public Shared(String what) {
    this.what = what;
  }

  /** What is there already; null when nothing is. */
  public @Nullable T current() {
    lock.lock();
    try {
      return value;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is there, or what the supplier makes; where it is being made already, that is waited for.
   *
   * @param making runs on a virtual thread of its own, so it outlives the caller's interrupt;
   *     bounds itself
   */
  public Reply<T> obtain(Supplier<Reply<T>> making) throws InterruptedException {
    CompletableFuture<Reply<T>> awaited;
    lock.lock();
    try {
      T present = value;
      if (present != null) {
        return new Reply.Answered<>(present);
      }
      awaited = this.making;
      if (awaited == null) {
        awaited = begin(making);
      }
    } finally {
      lock.unlock();
    }
    try {
      return awaited.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(what + " failed unexpectedly", e.getCause());
    }
  }

  /** Forgets the value, if it still is this one: the next who needs it makes another. */
  public void drop(T stale) {
    lock.lock();
    try {
      if (stale.equals(value)) {
        value = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts a making that is under way. */
  public void interrupt() {
    lock.lock();
    try {
      if (maker != null) {
        maker.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Interrupts a making that is under way, and waits for its end. An interrupt of the current
   * thread does not cut that short.
   *
   * @param patience how long it is waited for at most
   */
  public void end(Duration patience) {
    CompletableFuture<Reply<T>> ending;
    lock.lock();
    try {
      interrupt();
      ending = making;
    } finally {
      lock.unlock();
    }
    if (ending != null) {
      ending
          .handle((_, _) -> true)
          .completeOnTimeout(false, patience.toNanos(), TimeUnit.NANOSECONDS)
          .join();
    }
  }

  private CompletableFuture<Reply<T>> begin(Supplier<Reply<T>> supplier) {
    CompletableFuture<Reply<T>> result = new CompletableFuture<>();
    making = result;
    maker = Thread.ofVirtual().name(what).start(() -> make(supplier, result));
    return result;
  }

  private void make(Supplier<Reply<T>> supplier, CompletableFuture<Reply<T>> result) {
    try {
      Reply<T> made = supplier.get();
      ended(made instanceof Reply.Answered<T>(T present) ? present : null);
      result.complete(made);
    } catch (RuntimeException | Error e) {
      ended(null);
      result.completeExceptionally(e);
    }
  }

  private void ended(@Nullable T made) {
    lock.lock();
    try {
      making = null;
      maker = null;
      value = made;
    } finally {
      lock.unlock();
    }
  }
}
