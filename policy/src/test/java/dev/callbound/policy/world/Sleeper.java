package dev.callbound.policy.world;

import dev.callbound.policy.Entrance;
import dev.callbound.policy.Time;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;

/**
 * A call as an entrance sees it: an actor that waits, is woken and is cancelled in virtual time.
 */
final class Sleeper implements Entrance.Waiting, Time {
  private final SimulatedTime time;
  private final Turns.Actor actor;
  private boolean woken;

  Sleeper(SimulatedTime time, Turns.Actor actor) {
    this.time = time;
    this.actor = actor;
  }

  @Override
  public long nanos() {
    return time.nanos();
  }

  @Override
  public void sleep(Duration wait) throws InterruptedException {
    actor.sleep(wait);
    if (actor.cancelled()) {
      throw new InterruptedException("cancelled");
    }
  }

  @Override
  public void await(Duration atMost) throws InterruptedException {
    if (!woken) {
      actor.sleep(atMost);
    }
    woken = false;
    if (actor.cancelled()) {
      throw new InterruptedException("cancelled");
    }
  }

  @Override
  public void wake() {
    woken = true;
    actor.wake();
  }
}
