package dev.callbound.journal;

import java.util.Locale;

/** What has become of a run. */
public enum RunState {
  /** It takes calls. */
  RUNNING,
  /** Its client said that it is finished. */
  DONE,
  /** It ended for a reason of ours. */
  STOPPED,
  /** The client or the operator ended it. */
  CANCELLED,
  /** Its deadline passed. */
  EXPIRED,
  /** It is over, and at least one of its calls may or may not have happened. */
  UNKNOWN;

  /** The name as it stands in the journal and in answers, such as {@code running}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
