package dev.callbound.journal;

import java.util.List;

/**
 * What a dead process had left open, and what became of it when the journal was opened again.
 *
 * @param ok calls whose last attempt had been answered, which only the client never heard
 * @param stopped calls that ended with nothing in doubt
 * @param unknown writes that may have happened
 * @param toResume writes that are still open, and are for the one who opened the journal to go on
 *     with or to end; in the order in which they were made
 * @param runsEnded runs whose deadline had passed
 */
public record Recovery(
    int ok, int stopped, int unknown, List<Interrupted> toResume, int runsEnded) {

  public Recovery {
    toResume = List.copyOf(toResume);
  }

  /** How many calls were found open. */
  public int calls() {
    return ok + stopped + unknown + toResume.size();
  }
}
