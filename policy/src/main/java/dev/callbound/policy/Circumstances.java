package dev.callbound.policy;

import org.jspecify.annotations.Nullable;

/**
 * What the classifier must know besides the failure itself.
 *
 * <p>Immutable. A {@link BoundedCall} carries its own from attempt to attempt, and begins with
 * those that its {@link Past} left.
 *
 * @param recognition how a repeat that is sent now would be recognised
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

  /** Those in which the past left the call. */
  static Circumstances of(Plan plan, Past past) {
    return new Circumstances(plan.effect(), plan.recognition(), past.doubt(), past.waitedAsTold());
  }

  /** These, with what would recognise a repeat now. */
  Circumstances recognisedBy(Recognition now) {
    return new Circumstances(effect, now, doubt, waitedAsTold);
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
