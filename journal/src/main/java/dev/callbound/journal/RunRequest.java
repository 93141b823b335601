package dev.callbound.journal;

import org.jspecify.annotations.Nullable;

/**
 * The request that opens a run, as far as it is remembered, so that the same request finds the same
 * run.
 *
 * @param key its idempotency key, unique per principal; null without one
 * @param asked what is asked for, in a form that is equal where the same is; null where nobody
 *     asked, as for a run that opened with its first call
 */
public record RunRequest(@Nullable String key, @Nullable String asked) {
  /** Nobody asked for anything. */
  public static final RunRequest NONE = new RunRequest(null, null);

  public RunRequest {
    if (key != null && (key.isBlank() || asked == null)) {
      throw new IllegalArgumentException("a key is not blank, and stands for something: " + key);
    }
  }
}
