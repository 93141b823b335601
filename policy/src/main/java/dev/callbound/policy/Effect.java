package dev.callbound.policy;

/** What a tool does to the world outside: the fourth of the six questions. */
public enum Effect {
  /** It only looks. Doing it twice is harmless. */
  READ,
  /** It may change something. Doing it twice may change it twice. */
  WRITE
}
