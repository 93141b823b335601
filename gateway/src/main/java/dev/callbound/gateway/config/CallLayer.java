package dev.callbound.gateway.config;

import dev.callbound.policy.Effect;
import dev.callbound.policy.Money;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the calls of a tool, or of several. Null stands for what it doesn't
 * say. For what each part means see {@link ToolConfig}.
 *
 * @param origin which place it is
 * @param stall {@link Duration#ZERO} where it says that any silence is allowed
 */
public record CallLayer(
    Origin origin,
    @Nullable Effect effect,
    @Nullable Duration deadline,
    @Nullable Duration callDeadline,
    @Nullable Integer attempts,
    @Nullable Duration stall,
    @Nullable Recording record,
    @Nullable List<String> mask,
    @Nullable Duration lateWindow,
    @Nullable Duration settleFor,
    @Nullable Money price,
    WaitingLayer waiting,
    StuckLayer stuck,
    CircuitConfig.@Nullable Layer circuit,
    @Nullable List<String> target,
    @Nullable Boolean repeats,
    @Nullable Recognise recognise) {
  public CallLayer {
    mask = mask == null ? null : List.copyOf(mask);
    target = target == null ? null : List.copyOf(target);
  }

  /** A place that says nothing. */
  public static CallLayer silent(Origin origin) {
    return new CallLayer(
        origin,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        WaitingLayer.SILENT,
        StuckLayer.SILENT,
        null,
        null,
        null,
        null);
  }

  /** The same, saying what the tool does. */
  public CallLayer withEffect(Effect newEffect) {
    return new CallLayer(
        origin,
        newEffect,
        deadline,
        callDeadline,
        attempts,
        stall,
        record,
        mask,
        lateWindow,
        settleFor,
        price,
        waiting,
        stuck,
        circuit,
        target,
        repeats,
        recognise);
  }

  /** The same, saying how a repeat is recognised. */
  public CallLayer withRecognise(Recognise newRecognise) {
    return new CallLayer(
        origin,
        effect,
        deadline,
        callDeadline,
        attempts,
        stall,
        record,
        mask,
        lateWindow,
        settleFor,
        price,
        waiting,
        stuck,
        circuit,
        target,
        repeats,
        newRecognise);
  }
}
