package dev.callbound.gateway.config;

import dev.callbound.policy.Effect;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the calls of one tool are bounded and recorded, with everything inherited already filled in.
 *
 * @param effect what the config says that the tool does; null means that it doesn't say
 * @param deadline how long one attempt may take; more than zero
 * @param callDeadline how long the whole call may take, its waits included; at least the deadline
 * @param attempts how many attempts a call may make; 1 to {@value #MOST_ATTEMPTS}
 * @param stall the longest silence allowed while an attempt runs; null means any
 * @param record how much of arguments and results the journal keeps
 * @param mask what is left out of them: a field's name, at any depth and in any case, or, where it
 *     begins with a slash, a JSON pointer (RFC 6901)
 */
public record ToolConfig(
    @Nullable Effect effect,
    Duration deadline,
    Duration callDeadline,
    int attempts,
    @Nullable Duration stall,
    Recording record,
    List<String> mask) {
  /** More attempts than this hammer a provider and help nobody. */
  static final int MOST_ATTEMPTS = 10;

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
    mask = List.copyOf(mask);
  }

  /** What holds for a tool of which the config says nothing at all. */
  public static ToolConfig standard() {
    CallKeys keys = Keys.DEFAULT_CALL;
    Duration deadline = keys.deadline().required();
    return new ToolConfig(
        null,
        deadline,
        CallLayers.callDeadline(deadline, Keys.Run.DEADLINE.required()),
        keys.attempts().required(),
        null,
        keys.record().required(),
        keys.mask().required());
  }

  /** The same, with the effect as given. */
  public ToolConfig withEffect(@Nullable Effect effect) {
    return new ToolConfig(effect, deadline, callDeadline, attempts, stall, record, mask);
  }
}
