package dev.callbound.gateway.demo;

import dev.callbound.policy.Effect;

/** What a client takes for true when a task is over. */
enum Belief {
  /** It happened, once. */
  DONE,
  /** It did not happen. */
  FAILED,
  /** It may have happened. */
  UNKNOWN;

  /**
   * Whether the ledger says otherwise. Who leaves it open is never wrong, and has to look; a read
   * that failed is not believed to have changed anything.
   */
  boolean isWrong(Effect effect, Count count) {
    return switch (this) {
      case DONE -> effect == Effect.WRITE ? count.happened() != 1 : count.answered() == 0;
      case FAILED -> count.happened() > 0;
      case UNKNOWN -> false;
    };
  }
}
