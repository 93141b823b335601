package dev.callbound.gateway.bridge;

import dev.callbound.policy.Entrance;
import dev.callbound.policy.Gate;
import java.time.Duration;

/** Where the requests of one kind come in at a server: the calls of a tool, or everything else. */
@FunctionalInterface
interface Doorway {
  /** One that nothing is in the way of. */
  Doorway OPEN = (_, _) -> Gate.OPEN;

  /**
   * The gate of one request.
   *
   * @param timeout how long one attempt may take
   */
  Gate gate(Entrance.Waiting waiting, Duration timeout);
}
