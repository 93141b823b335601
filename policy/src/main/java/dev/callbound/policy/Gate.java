package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What stands between a call and its tool: asked before every attempt, and before anything of the
 * attempt is on record. It lets the attempt through, makes it wait for its turn, or turns it away;
 * who is turned away has cost the tool nothing, and takes nothing from the run's retries.
 *
 * <p>An implementation serves one call on one thread.
 */
public interface Gate {
  /** Always open. */
  Gate OPEN = _ -> new Admission.Admitted(Pass.NOTHING);

  /**
   * Asks for the next attempt, and waits for its turn where it has to.
   *
   * @param by when the call is over; a wait that can't end before it is not begun
   * @throws InterruptedException when the call was cancelled before or during the wait
   */
  Admission enter(Deadline by) throws InterruptedException;

  /** What the gate says. */
  sealed interface Admission {
    /** The attempt may begin, now. Whoever gets this returns the pass, once. */
    record Admitted(Pass pass) implements Admission {}

    /**
     * The attempt may not begin.
     *
     * @param why one sentence for people, without a full stop
     * @param retryAfter when it makes sense to ask again; null where nobody can say
     */
    record Refused(Reason.Stopped reason, String why, @Nullable Duration retryAfter)
        implements Admission {}
  }

  /** What an attempt that was let through gives back: exactly one of the two, once. */
  interface Pass {
    /** Nothing depends on it. */
    Pass NOTHING =
        new Pass() {
          @Override
          public void used(Attempt attempt, @Nullable Failure failure) {}

          @Override
          public void unused() {}
        };

    /**
     * The attempt is over.
     *
     * @param failure how it failed; null when it succeeded
     */
    void used(Attempt attempt, @Nullable Failure failure);

    /** The attempt was not made after all. */
    void unused();
  }
}
