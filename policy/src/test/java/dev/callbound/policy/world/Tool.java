package dev.callbound.policy.world;

import dev.callbound.policy.Effect;
import dev.callbound.policy.Recognition;

/** The tools of the world, one of each kind that the rules tell apart. */
enum Tool {
  KEYED(Effect.WRITE, Recognition.KEY),
  /** Its target names only one of the arguments. */
  TARGETED(Effect.WRITE, Recognition.KEY),
  CHECKED(Effect.WRITE, Recognition.CHECK),
  PLAIN(Effect.WRITE, Recognition.NONE),
  /** Equal arguments twice are two intents. */
  REPEATS(Effect.WRITE, Recognition.NONE),
  READ(Effect.READ, Recognition.NONE);

  final Effect effect;
  final Recognition recognition;

  Tool(Effect effect, Recognition recognition) {
    this.effect = effect;
    this.recognition = recognition;
  }
}
