package dev.callbound.policy;

import org.jspecify.annotations.Nullable;

/**
 * What the classifier must know besides the failure itself.
 *
 * <p>Immutable. A {@link BoundedCall} carries its own from attempt to attempt; recovery makes the
 * initial ones for an attempt that a dead process left behind.
 *
 * @param doubt why an earlier attempt of this call may have run; null while none may have
 * @param waitedAsTold whether the call has already waited a time that the provider named
 */
public record Circumstances(
    Effect effect, Recognition recognition, Reason.@Nullable Unknown doubt, boolean waitedAsTold) {

  public Circumstances {
    if (effect == Effect.READ && doubt != null) {
      throw new IllegalArgumentException("a read is never in doubt: " + doubt.code());
    }
  }

  /** Those of a call's first attempt. */
  public static Circumstances initial(Effect effect, Recognition recognition) {
    return new Circumstances(effect, recognition, null, false);
  }

  /**
   * These, after the failure. Doubt is never taken back here: a later refusal does not undo an
   * earlier write.
   */
  Circumstances after(Failure failure) {
    if (effect == Effect.READ || doubt != null || !failure.mayHaveRun()) {
      return this;
    }
    return new Circumstances(effect, recognition, Classifier.doubt(failure), waitedAsTold);
  }

  /** These, once a check has shown that no earlier attempt took effect. */
  Circumstances withoutDoubt() {
    return new Circumstances(effect, recognition, null, waitedAsTold);
  }

  /** These, once a time that the provider named is about to be waited. */
  Circumstances havingWaitedAsTold() {
    return new Circumstances(effect, recognition, doubt, true);
  }
}
