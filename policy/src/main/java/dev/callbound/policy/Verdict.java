package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the classifier says to do about a failure. */
public sealed interface Verdict {
  /** Nothing more: it is over, and nothing is in doubt. */
  record Stop(Reason.Stopped reason) implements Verdict {}

  /**
   * Try again.
   *
   * @param told the wait that the provider named, to be kept exactly and granted once in a call;
   *     null to back off
   */
  record Retry(@Nullable Duration told) implements Verdict {}

  /** Ask the provider whether the effect is there before anything is sent again. */
  record AskFirst() implements Verdict {}

  /** Nothing more: it may have happened, and there is no way to tell. */
  record Unknown(Reason.Unknown reason) implements Verdict {}
}
