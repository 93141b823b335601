package dev.callbound.journal;

import java.util.Locale;

/** What an event of a run tells. */
public enum EventKind {
  /** The run begins: the first event of every run. */
  RUN_OPENED,
  /** The run is over. Its calls end after this, if any were going on. */
  RUN_ENDED,
  /** A run that is over became unknown by one of its calls, or known again by their settling. */
  RUN_CHANGED,
  /** A call is made. Of one that has ended before this is recorded, its end alone is told. */
  CALL_OPENED,
  /**
   * An attempt did not succeed. One that did, or that is recorded together with its call, is told
   * of by the end of the call.
   */
  ATTEMPT_ENDED,
  /** A call has its outcome. */
  CALL_ENDED,
  /** A call that was unknown is so no more. */
  CALL_SETTLED,
  /** What the run is expected to bring about has come to be there, or is there in the end. */
  OUTPUT_THERE,
  /** It is there no more, or is not there in the end. */
  OUTPUT_MISSING;

  /** The name as it stands in the journal and in the stream, such as {@code call_ended}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
