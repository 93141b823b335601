package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a failure means: six questions in a fixed order, asked before anything is repeated.
 *
 * <ol>
 *   <li>Was it refused or answered for good? Stop.
 *   <li>Did the provider say not now? Wait the time it named and try once more; without a time,
 *       back off.
 *   <li>Is it certain that it never arrived? Back off, try again.
 *   <li>Is it a read? Back off, try again: reading twice is harmless.
 *   <li>Can the repeat be recognised? By key: send again under the same key. By check: ask first.
 *   <li>None of these: unknown.
 * </ol>
 *
 * <p>Doubt is sticky: once an attempt of a write may have run, what would be a stop is {@code
 * unknown}, because a later refusal says nothing about the earlier attempt; and what would be tried
 * again is tried only as far as the fifth question allows, because a later attempt that surely
 * never arrived doesn't make the earlier one repeatable. That holds for a tool's own error under
 * the same key too: it may be the answer to the first attempt, or only say that the first one is
 * still at it. Pure: the same question always gets the same verdict.
 */
public final class Classifier {
  private static final Verdict BACK_OFF = new Verdict.Retry(null);
  private static final Verdict ASK_FIRST = new Verdict.AskFirst();
  private static final Verdict RATE_LIMITED = new Verdict.Stop(Reason.Stopped.RATE_LIMITED);

  private Classifier() {}

  /** The verdict on a failure. */
  public static Verdict classify(Failure failure, Circumstances circumstances) {
    Verdict verdict = firstYes(failure, circumstances);
    Reason.Unknown doubt = circumstances.doubt();
    return doubt == null ? verdict : inDoubt(verdict, doubt, circumstances.recognition());
  }

  private static Verdict inDoubt(Verdict verdict, Reason.Unknown doubt, Recognition recognition) {
    return switch (verdict) {
      case Verdict.Stop _ -> new Verdict.Unknown(doubt);
      case Verdict.Retry retry ->
          switch (recognition) {
            case KEY -> retry;
            case CHECK -> ASK_FIRST;
            case NONE -> new Verdict.Unknown(doubt);
          };
      case Verdict.AskFirst _, Verdict.Unknown _ -> verdict;
    };
  }

  /** Why a write whose attempt failed in this way may have happened. */
  static Reason.Unknown doubt(Failure failure) {
    return switch (failure) {
      case Failure.TimedOut _ -> Reason.Unknown.TIMED_OUT;
      case Failure.Broken _ -> Reason.Unknown.CONNECTION_LOST;
      case Failure.WorkerDied _ -> Reason.Unknown.WORKER_DIED;
      case Failure.ServerError _, Failure.ToolError _ -> Reason.Unknown.SERVER_ERROR;
      case Failure.Garbled _ -> Reason.Unknown.GARBLED_ANSWER;
      case Failure.TooLarge _ -> Reason.Unknown.RESPONSE_TOO_LARGE;
      case Failure.Cancelled _ -> Reason.Unknown.CANCELLED_IN_FLIGHT;
      case Failure.NotSent _,
          Failure.Refused _,
          Failure.KeyConflict _,
          Failure.Limited _,
          Failure.Unsafe _ ->
          throw new IllegalArgumentException("leaves no doubt: " + failure.kind());
    };
  }

  /** Whether the provider asked for patience, by its status or in its text. */
  static boolean saysNotNow(@Nullable Failure failure) {
    return failure instanceof Failure.Limited
        || (failure instanceof Failure.ToolError error && error.isLimit());
  }

  private static Verdict firstYes(Failure failure, Circumstances c) {
    boolean read = c.effect() == Effect.READ;
    return switch (failure) {
      // 1. Refused or answered for good.
      case Failure.Refused _ -> new Verdict.Stop(Reason.Stopped.REFUSED);
      case Failure.KeyConflict _ -> new Verdict.Stop(Reason.Stopped.KEY_CONFLICT);
      case Failure.Unsafe _ -> new Verdict.Stop(Reason.Stopped.UNSAFE_ENDPOINT);
      case Failure.Cancelled(_, boolean sent) when read || !sent ->
          new Verdict.Stop(Reason.Stopped.CANCELLED);
      // Nobody waits for the answer any more, so there is nobody to try again for.
      case Failure.Cancelled _ -> new Verdict.Unknown(Reason.Unknown.CANCELLED_IN_FLIGHT);
      case Failure.ToolError error -> toolError(error, c);
      // The same question would bring the same answer, under the same key too.
      case Failure.TooLarge _ when read -> new Verdict.Stop(Reason.Stopped.RESPONSE_TOO_LARGE);
      case Failure.TooLarge _ when c.recognition() != Recognition.CHECK ->
          new Verdict.Unknown(Reason.Unknown.RESPONSE_TOO_LARGE);
      // 2. Not now.
      case Failure.Limited(@Nullable Duration retryAfter, _) -> notNow(retryAfter, c);
      // 3. Never arrived.
      case Failure.NotSent _ -> BACK_OFF;
      // 4, 5 and 6: it may have run.
      case Failure.ServerError _,
          Failure.TimedOut _,
          Failure.Broken _,
          Failure.WorkerDied _,
          Failure.Garbled _,
          Failure.TooLarge _ ->
          read ? BACK_OFF : mayHaveRun(failure, c.recognition());
    };
  }

  private static Verdict notNow(@Nullable Duration retryAfter, Circumstances c) {
    return c.waitedAsTold() ? RATE_LIMITED : new Verdict.Retry(retryAfter);
  }

  private static Verdict mayHaveRun(Failure failure, Recognition recognition) {
    return switch (recognition) {
      case KEY -> BACK_OFF;
      case CHECK -> ASK_FIRST;
      case NONE -> new Verdict.Unknown(doubt(failure));
    };
  }

  /** A text may make a read try again; a write is never repeated on a text. */
  private static Verdict toolError(Failure.ToolError error, Circumstances c) {
    Integer status = error.status();
    if (status == null) {
      return new Verdict.Stop(Reason.Stopped.TOOL_ERROR);
    }
    boolean read = c.effect() == Effect.READ;
    if (error.isLimit()) {
      return read ? notNow(error.retryAfter(), c) : RATE_LIMITED;
    }
    if (status < 500) {
      return new Verdict.Stop(Reason.Stopped.REFUSED);
    }
    return read ? BACK_OFF : new Verdict.Unknown(Reason.Unknown.SERVER_ERROR);
  }
}
