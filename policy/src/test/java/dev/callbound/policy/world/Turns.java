package dev.callbound.policy.world;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take turns in virtual time: one runs until it waits, and then whatever comes next in
 * time does. So blocking code is interleaved in every order, and each order can be played again.
 *
 * <p>The threads are real ones, so that the code under test may block and be interrupted; but only
 * the holder of the turn ever runs, which is why nothing here is synchronized.
 */
final class Turns {
  /** Unwinds a thread whose process has died. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;

    Killed() {
      super("the process died", null, false, false);
    }
  }

  private final SimulatedTime time;
  private final Semaphore stage = new Semaphore(0);
  private int going;
  private @Nullable Throwable failure;

  Turns(SimulatedTime time) {
    this.time = time;
  }

  /** Starts a thread, which gets its turn as soon as nobody else has it. */
  Actor start(Consumer<Actor> part) {
    var actor = new Actor();
    going++;
    Thread thread = Thread.ofVirtual().unstarted(() -> play(part, actor));
    time.after(
        Duration.ZERO,
        () -> {
          thread.start();
          stage.acquireUninterruptibly();
        });
    return actor;
  }

  /** Lets time pass until nothing is planned any more before then. */
  void play(Duration until) {
    time.advance(until);
    if (failure != null) {
      throw new AssertionError(failure.getMessage(), failure);
    }
    if (going > 0) {
      throw new AssertionError(going + " threads have not ended by themselves");
    }
  }

  @SuppressWarnings("ThrowableNotThrown") // Thrown by play, on the thread of the test.
  private void play(Consumer<Actor> part, Actor actor) {
    try {
      part.accept(actor);
    } catch (Killed _) {
      // As it was meant.
    } catch (RuntimeException | Error e) {
      failure = failure == null ? e : failure;
    } finally {
      going--;
      stage.release();
    }
  }

  /** One of the threads. */
  final class Actor {
    private final Semaphore turn = new Semaphore(0);
    private boolean waiting;
    private long waits;
    private boolean cancelled;
    private boolean killed;

    /** Waits so long, or until it is woken or cancelled; not at all once it is cancelled. */
    void sleep(Duration wait) {
      if (!cancelled && !killed) {
        wakeAfter(wait);
        waiting = true;
        stage.release();
        turn.acquireUninterruptibly();
      }
      if (killed) {
        throw new Killed();
      }
    }

    /** Ends the wait that is going on. */
    void wake() {
      wakeAfter(Duration.ZERO);
    }

    /** Ends this wait and all later ones. */
    void cancel() {
      cancelled = true;
      wake();
    }

    boolean cancelled() {
      return cancelled;
    }

    /** Ends the thread where it waits. */
    void kill() {
      killed = true;
      wake();
    }

    private void wakeAfter(Duration wait) {
      long number = waiting ? waits : ++waits;
      time.after(
          wait,
          () -> {
            if (waiting && waits == number) {
              waiting = false;
              turn.release();
              stage.acquireUninterruptibly();
            }
          });
    }
  }
}
