package dev.callbound.policy;

/**
 * The tool, as the loop sees it: something that can be tried, one attempt at a time.
 *
 * <p>An implementation serves one call on one thread. It returns by the attempt's deadline, and
 * promptly when the call is cancelled; it reports what happened as a value and throws only what
 * means a bug.
 *
 * @param <T> what a result is
 */
public interface Upstream<T> {
  /**
   * Makes one attempt.
   *
   * @return the result, or what is known about the failure; {@link Failure.Cancelled} when the call
   *     was cancelled meanwhile
   */
  Reply<T> attempt(Attempt attempt);

  /**
   * Asks the provider whether an earlier attempt took effect. Called only for {@link
   * Recognition#CHECK}, never while an attempt is going on.
   *
   * @param by when to give up asking
   */
  Finding<T> check(Deadline by);
}
