package dev.callbound.journal;

/** What came of settling a call. */
public enum SettleResult {
  /** It was unknown, and is no more. */
  SETTLED,
  /** It had been settled before, the same way. A result that was not known yet is kept. */
  ALREADY,
  /** It had been settled before, the other way. That stands; this is recorded beside it. */
  DIVERGENT,
  /** It ended ok or stopped by itself and was never unknown. Nothing is recorded. */
  NOT_UNKNOWN,
  /** It has not ended yet. Nothing is recorded. */
  OPEN,
  /** There is no such call. */
  NO_SUCH_CALL
}
