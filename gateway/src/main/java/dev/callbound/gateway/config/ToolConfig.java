package dev.callbound.gateway.config;

import dev.callbound.policy.Effect;
import dev.callbound.policy.Money;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the calls of one tool are bounded, recognised and recorded, with everything inherited already
 * filled in.
 *
 * @param effect what the config or the profile says that the tool does; null means that neither
 *     does
 * @param deadline how long one attempt may take; more than zero
 * @param callDeadline how long the whole call may take, its waits included; at least the deadline
 * @param attempts how many attempts a call may make; 1 to {@value #MOST_ATTEMPTS}
 * @param stall the longest silence allowed while an attempt runs; null means any
 * @param record how much of arguments and results the journal keeps
 * @param mask what is left out of them: a field's name, at any depth and in any case, or, where it
 *     begins with a slash, a JSON pointer (RFC 6901)
 * @param target what says what a call is about: names of arguments, or JSON pointers into them;
 *     empty means all arguments
 * @param repeats whether the same arguments twice are two intents, so that a call is never joined
 *     or replayed unless its client names a step
 * @param recognise how a repeat of a write is recognised
 * @param lateWindow how long a write is listened to after its deadline; zero cancels it there. Null
 *     means {@link #STANDARD_LATE_WINDOW} where a repeat is not recognised, else zero
 * @param settleFor how long an unknown outcome is asked about again; may be zero
 * @param price what one attempt costs its run
 * @param waiting how long a client waits for a call, and whether the call waits for a person
 * @param stuck when an attempt counts as stuck
 * @param circuit how its calls are kept from a dependency that stays down
 * @param from which places said so
 */
public record ToolConfig(
    @Nullable Effect effect,
    Duration deadline,
    Duration callDeadline,
    int attempts,
    @Nullable Duration stall,
    Recording record,
    List<String> mask,
    List<String> target,
    boolean repeats,
    Recognise recognise,
    @Nullable Duration lateWindow,
    Duration settleFor,
    Money price,
    Waiting waiting,
    Stuck stuck,
    CircuitConfig circuit,
    Origins from) {
  /** More attempts than this hammer a provider and help nobody. */
  static final int MOST_ATTEMPTS = 10;

  /** How long a write whose repeat can't be recognised is listened to after its deadline. */
  public static final Duration STANDARD_LATE_WINDOW = Duration.ofSeconds(30);

  public ToolConfig {
    Positive.check("deadline", deadline);
    if (callDeadline.compareTo(deadline) < 0) {
      throw new IllegalArgumentException(
          "call deadline must be at least the deadline " + deadline + ": " + callDeadline);
    }
    if (attempts < 1 || attempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "attempts must be 1 to " + MOST_ATTEMPTS + ": " + attempts);
    }
    if (stall != null) {
      Positive.check("stall", stall);
    }
    if (lateWindow != null && lateWindow.isNegative()) {
      throw new IllegalArgumentException("late window must not be negative: " + lateWindow);
    }
    if (settleFor.isNegative()) {
      throw new IllegalArgumentException("settle for must not be negative: " + settleFor);
    }
    mask = List.copyOf(mask);
    target = List.copyOf(target);
  }

  /**
   * Which place said what people ask about most.
   *
   * @param effect of the effect; {@link Origin#BUILT_IN} where there is none
   */
  public record Origins(Origin effect, Origin deadline, Origin recognise) {}

  /** The same, with no recognition. */
  ToolConfig withoutRecognition() {
    return new ToolConfig(
        effect,
        deadline,
        callDeadline,
        attempts,
        stall,
        record,
        mask,
        target,
        repeats,
        new Recognise.Nothing(),
        lateWindow,
        settleFor,
        price,
        waiting,
        stuck,
        circuit,
        from);
  }

  /** How long a write is listened to after its deadline, whoever said so. */
  public Duration listensFor() {
    if (lateWindow != null) {
      return lateWindow;
    }
    return recognise instanceof Recognise.Nothing ? STANDARD_LATE_WINDOW : Duration.ZERO;
  }

  /** What holds for a tool of which the config says nothing at all. */
  public static ToolConfig standard() {
    return ToolBounds.STANDARD.of("");
  }
}
