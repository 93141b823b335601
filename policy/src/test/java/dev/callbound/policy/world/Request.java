package dev.callbound.policy.world;

import dev.callbound.policy.Effect;
import dev.callbound.policy.Intent;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for.
 *
 * @param variant the argument that is not in the target of {@link Tool#TARGETED}
 */
record Request(Tool tool, int item, int variant, @Nullable String step) {
  /** The key, as every process derives it anew. */
  String key() {
    String target = tool == Tool.TARGETED ? "[%d]" : "[%d,%d]";
    return new Intent(
            "principal", "run", step, "server", tool.name(), target.formatted(item, variant))
        .key();
  }

  /** Whether a repeat of it can be found at all: a read is one only by its step. */
  boolean hasKey() {
    return tool.effect == Effect.WRITE || step != null;
  }

  boolean sameArguments(Request other) {
    return item == other.item && variant == other.variant;
  }
}
