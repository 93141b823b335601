package dev.callbound.gateway.config;

import dev.callbound.policy.Effect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what only a tool's own place can say: what the tool does, and what makes two calls the
 * same.
 *
 * @param where the place
 * @param tool the tool's name
 */
record ToolReader(MappingReader where, String tool) {
  /** The layer as given, with what is read. */
  CallLayer read(CallLayer calls) {
    Effect effect = where.written(Keys.Tool.EFFECT);
    List<String> target = where.written(Keys.Tool.TARGET);
    Recognise recognise = new RecogniseReader(where, tool).read();
    if (effect == Effect.READ && recognise != null && !(recognise instanceof Recognise.Nothing)) {
      where.problem(
          Keys.Tool.RECOGNISE,
          "contradicts effect: read, which may be repeated anyway",
          "keep one of the two");
    }
    checkTarget(target, recognise);
    return new CallLayer(
        calls.origin(),
        effect,
        calls.deadline(),
        calls.callDeadline(),
        calls.attempts(),
        calls.stall(),
        calls.record(),
        calls.mask(),
        calls.lateWindow(),
        calls.settleFor(),
        calls.price(),
        calls.waiting(),
        calls.stuck(),
        calls.circuit(),
        target,
        where.written(Keys.Tool.REPEATS),
        recognise);
  }

  private void checkTarget(@Nullable List<String> target, @Nullable Recognise recognise) {
    if (target != null
        && recognise instanceof Recognise.ByKey(var carrier, String name, _)
        && carrier == Recognise.Carrier.ARGUMENT
        && (target.contains(name) || target.contains("/" + name))) {
      where.problem(
          Keys.Tool.TARGET,
          "names " + name + ", which carries the key that is made from the target",
          "name the arguments that say what the call is about");
    }
  }
}
