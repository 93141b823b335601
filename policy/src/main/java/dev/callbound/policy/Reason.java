package dev.callbound.policy;

import java.util.Locale;

/**
 * Why a call did not end {@code ok}: a closed set, so that a program can act on it.
 *
 * <p>Stable: a name is part of the record and of every answer, and is never reused for another
 * meaning.
 */
public sealed interface Reason {
  /** The name as it stands in records and answers, such as {@code retry_budget_spent}. */
  String code();

  /** Why a call is over with nothing in doubt. */
  enum Stopped implements Reason {
    /** The server said that it will not do it. */
    REFUSED,
    /** The tool itself reported that it failed. */
    TOOL_ERROR,
    /** The provider said not now, and it is not for this call to wait any longer. */
    RATE_LIMITED,
    /** Every attempt that the call may make has failed. */
    RETRIES_EXHAUSTED,
    /** The wait before the next attempt would end past the deadline, so it was not begun. */
    NO_TIME_LEFT,
    /** The deadline of the call or of its run passed. */
    DEADLINE_EXCEEDED,
    /** The client, the run or the operator ended it before anything could have happened. */
    CANCELLED,
    /** The result is larger than the limit; it was refused, not cut. */
    RESPONSE_TOO_LARGE,
    /** The endpoint leads to an address that the configuration does not allow. */
    UNSAFE_ENDPOINT,
    /** The dependency has failed too often lately, and is left alone for a while. */
    CIRCUIT_OPEN,
    /** The arguments do not satisfy the tool's input schema. */
    INVALID_ARGUMENTS,
    /** The same step or key was used with other arguments. */
    KEY_CONFLICT,
    /** A person or a rule said no. */
    DENIED,
    /** The run that the call belongs to has ended. */
    RUN_OVER,
    /** The run has no retries left. */
    RETRY_BUDGET_SPENT,
    /** The run has no money left. */
    SPEND_EXHAUSTED,
    /** The balance could not be confirmed in time. */
    SPEND_UNVERIFIED;

    @Override
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Why it can't be said whether a write happened. */
  enum Unknown implements Reason {
    /** Our wait ended; the tool may still be at it. */
    TIMED_OUT,
    /** The connection or the process ended after the request had been sent. */
    CONNECTION_LOST,
    /** The server reported an error that does not exclude the effect. */
    SERVER_ERROR,
    /** The answer could not be understood. */
    GARBLED_ANSWER,
    /** The tool answered, with more than the limit; the result was refused. */
    RESPONSE_TOO_LARGE,
    /** The process that made the attempt died before it could record the answer. */
    WORKER_DIED,
    /** It was cancelled after the request had been sent. */
    CANCELLED_IN_FLIGHT,
    /** The check that was to settle it gave no clear answer. */
    CHECK_FAILED;

    @Override
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
