package dev.callbound.journal;

/**
 * The calls of a run, counted by how they ended.
 *
 * @param open those that have not ended
 */
public record OutcomeCounts(int ok, int stopped, int unknown, int open) {
  /** A run without calls. */
  public static final OutcomeCounts NONE = new OutcomeCounts(0, 0, 0, 0);

  /** All of them. */
  public int total() {
    return ok + stopped + unknown + open;
  }
}
