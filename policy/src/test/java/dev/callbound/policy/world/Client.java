package dev.callbound.policy.world;

import dev.callbound.policy.Draw;
import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Somebody who wants one thing done, asks for it, has so much patience, and asks again: after an
 * answer, after none, and after the gateway has gone.
 */
final class Client {
  private final World world;
  private final SimulatedTime time;
  private final SplittableRandom random;
  private final Request request;
  private int asksLeft;

  Client(World world, SimulatedTime time, SplittableRandom random, Request request) {
    this.world = world;
    this.time = time;
    this.random = random;
    this.request = request;
    this.asksLeft = 1 + random.nextInt(4);
  }

  void begin() {
    time.after(Draw.duration(random, 1, 30_000), this::ask);
  }

  private void ask() {
    if (asksLeft-- <= 0) {
      return;
    }
    Request asked =
        Draw.oneIn(random, 8)
            ? new Request(request.tool(), request.item(), 1 - request.variant(), request.step())
            : request;
    var waiter = new Waiter(asked);
    world.gateway().request(waiter);
    time.after(Draw.duration(random, 100, 60_000), waiter::leave);
  }

  /** One request that is being waited for. */
  final class Waiter {
    final Request asked;
    private boolean waiting = true;
    private Runnable whenLeaving = () -> {};

    private Waiter(Request asked) {
      this.asked = asked;
    }

    boolean waiting() {
      return waiting;
    }

    /** Names what happens when the client has had enough. */
    void whenLeaving(Runnable action) {
      whenLeaving = action;
    }

    void hears(World.Heard heard) {
      if (waiting) {
        waiting = false;
        world.heard(heard);
        again();
      }
    }

    /** The gateway has died, or is not there. */
    void lost() {
      if (waiting) {
        waiting = false;
        again();
      }
    }

    private void leave() {
      if (waiting) {
        waiting = false;
        whenLeaving.run();
        again();
      }
    }

    private void again() {
      time.after(
          Draw.oneIn(random, 4) ? Duration.ZERO : Draw.duration(random, 1, 40_000),
          Client.this::ask);
    }
  }
}
