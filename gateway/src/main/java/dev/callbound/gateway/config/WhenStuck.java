package dev.callbound.gateway.config;

/**
 * What becomes of an attempt that makes no progress for too long, besides that somebody is told.
 */
public enum WhenStuck {
  /** It goes on, marked in the record. */
  MARK,
  /** Its call is cancelled. */
  CANCEL
}
