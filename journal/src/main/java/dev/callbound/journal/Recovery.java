package dev.callbound.journal;

/**
 * What a dead process had left open, and what became of it when the journal was opened again.
 *
 * @param ok calls whose last attempt had been answered, which only the client never heard
 * @param stopped calls that ended with nothing in doubt
 * @param unknown writes that may have happened
 * @param runsEnded runs whose deadline had passed
 */
public record Recovery(int ok, int stopped, int unknown, int runsEnded) {
  /** How many calls were found open. */
  public int calls() {
    return ok + stopped + unknown;
  }
}
