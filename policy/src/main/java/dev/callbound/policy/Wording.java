package dev.callbound.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The sentences that the loop leaves for people. No program reads them: that is what reasons are
 * for.
 */
final class Wording {
  private Wording() {}

  /** What happened, with the wait that the provider named where it named one. */
  static String what(Failure failure) {
    @Nullable Duration named =
        switch (failure) {
          case Failure.Limited limited -> limited.retryAfter();
          case Failure.ToolError error -> error.retryAfter();
          case Failure.NotSent _,
              Failure.Refused _,
              Failure.KeyConflict _,
              Failure.ServerError _,
              Failure.TimedOut _,
              Failure.Broken _,
              Failure.WorkerDied _,
              Failure.Garbled _,
              Failure.TooLarge _,
              Failure.Unsafe _,
              Failure.Cancelled _ ->
              null;
        };
    return named == null
        ? failure.detail()
        : failure.detail() + "; it asks for a wait of " + named.toMillis() + " ms";
  }

  /** Why nothing more is done about it. */
  static String settled(Failure failure, Effect effect) {
    String over = "final: " + what(failure);
    return effect == Effect.WRITE && failure instanceof Failure.ToolError
        ? over + "; a write is never repeated on a text, and its effect is not excluded"
        : over;
  }

  /**
   * Why a call in doubt may have taken effect.
   *
   * @param failure its last failure; null where another process knew, or an earlier call had it
   */
  static String doubt(@Nullable Failure failure) {
    if (failure == null) {
      return "an earlier attempt may have run";
    }
    return failure.mayHaveRun()
        ? what(failure)
        : "an earlier attempt may have run; the last one: " + what(failure);
  }

  /**
   * Why a write in doubt is not sent again.
   *
   * @param planned how its repeat was to be recognised
   * @param now how it would be now
   */
  static String notRepeated(@Nullable Failure failure, Recognition planned, Recognition now) {
    return switch (now) {
      case NONE ->
          planned == Recognition.KEY
              ? "the provider has forgotten the key, so the write is not repeated: "
                  + doubt(failure)
              : "a write without key or check may have happened, so it is not repeated: "
                  + doubt(failure);
      case KEY, CHECK -> "the write may have happened: " + doubt(failure);
    };
  }

  /** Why an attempt can't be paid for. */
  static String tooDear(SpendLimit spend, Money price) {
    return "the run has spent %s of the %s that it may spend, and an attempt costs %s"
        .formatted(spend.spent(), spend.limit(), price);
  }

  /** Why the same call may be sent again. */
  static String repeated(Failure failure, @Nullable Duration told, Effect effect) {
    if (told != null) {
      return "the provider named this wait";
    }
    if (Classifier.saysNotNow(failure)) {
      return "the provider said not now, without a time";
    }
    if (failure instanceof Failure.NotSent) {
      return "it never arrived: " + what(failure);
    }
    return switch (effect) {
      case READ -> "a read may be repeated: " + what(failure);
      case WRITE -> "the tool recognises a repeat by its key: " + what(failure);
    };
  }
}
