package dev.callbound.policy;

import dev.callbound.policy.Circuit.Sign;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the end of an attempt says about those whom the next one would meet. Pure. */
final class Blame {
  private static final int UNAUTHORIZED = 401;

  private Blame() {}

  /**
   * What it says about the tool: what the dependency itself did counts, and never that it said no.
   *
   * <p>A timeout says nothing where the attempt was cut short, to less than half of what the tool
   * is given: it is the call or the run that ended, and a run's last moments must not shut out
   * others.
   *
   * @param failure how the attempt failed; null when it succeeded
   * @param timeout how long an attempt may take at this tool
   */
  static Sign onTool(Attempt attempt, @Nullable Failure failure, Duration timeout) {
    return switch (failure) {
      case Failure.NotSent _, Failure.ServerError _, Failure.Broken _, Failure.Garbled _ ->
          Sign.FAILED;
      case Failure.TimedOut _ ->
          attempt.timeout().multipliedBy(2).compareTo(timeout) < 0 ? Sign.NONE : Sign.FAILED;
      // It answered.
      case null -> Sign.WORKED;
      case Failure.Refused _,
          Failure.KeyConflict _,
          Failure.Limited _,
          Failure.ToolError _,
          Failure.TooLarge _ ->
          Sign.WORKED;
      case Failure.WorkerDied _, Failure.Unsafe _, Failure.Cancelled _ -> Sign.NONE;
    };
  }

  /**
   * What it says about our credentials: a 401 refuses them, and whatever a tool says needs them.
   */
  static Sign onCredentials(@Nullable Failure failure) {
    return switch (failure) {
      case Failure.Refused(int code, _) -> code == UNAUTHORIZED ? Sign.FAILED : Sign.WORKED;
      case null -> Sign.WORKED;
      case Failure.KeyConflict _, Failure.ToolError _, Failure.TooLarge _ -> Sign.WORKED;
      // Who is limited, or meets a server that is down, may not have been looked at.
      case Failure.Limited _,
          Failure.NotSent _,
          Failure.ServerError _,
          Failure.TimedOut _,
          Failure.Broken _,
          Failure.Garbled _,
          Failure.WorkerDied _,
          Failure.Unsafe _,
          Failure.Cancelled _ ->
          Sign.NONE;
    };
  }

  /** The wait that a provider named; null where it named none. */
  static @Nullable Duration wait(@Nullable Failure failure) {
    return switch (failure) {
      case Failure.Limited limited -> limited.retryAfter();
      case Failure.ToolError error -> error.isLimit() ? error.retryAfter() : null;
      case null, default -> null;
    };
  }
}
