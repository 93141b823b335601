package dev.callbound.policy;

/** How the repeat of a write is recognised: the fifth of the six questions. */
public enum Recognition {
  /** It is not. A write that may have happened is never sent again. */
  NONE,
  /**
   * The tool takes a key, and answers a second call with the same key from the first one, for as
   * long as it remembers the key.
   */
  KEY,
  /** The provider can be asked whether the effect is there. */
  CHECK
}
