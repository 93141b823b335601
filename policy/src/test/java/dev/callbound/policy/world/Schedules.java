package dev.callbound.policy.world;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** Consecutive seeds, one schedule each. */
record Schedules(long first, int count) {
  /**
   * Plays them all and holds the laws against each.
   *
   * @param aloud whether to print what happens
   * @param watcher sees each world when it is over
   * @throws AssertionError at the first schedule in which a law is broken, with its seed and story
   */
  void play(boolean aloud, Consumer<World> watcher) {
    // On a virtual thread, from which it is a short way to the others.
    var task = new FutureTask<Void>(() -> playAll(aloud, watcher), null);
    Thread.ofVirtual().start(task);
    try {
      task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof AssertionError error
          ? error
          : new AssertionError("the world itself is broken", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void playAll(boolean aloud, Consumer<World> watcher) {
    for (long seed = first; seed < first + count; seed++) {
      var world = new World(seed, aloud);
      try {
        new WorldLaws(world.play()).check();
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed %d; replay it with -Dtest=WorldTest -Dcallbound.seed=%d%n%s"
                .formatted(seed, seed, story(seed)),
            e);
      } finally {
        if (aloud) {
          world.story().forEach(System.out::println);
        }
      }
      watcher.accept(world);
    }
  }

  private static String story(long seed) {
    var again = new World(seed, true);
    try {
      again.play();
    } catch (AssertionError e) {
      return String.join("\n", again.story()) + "\n" + e.getMessage();
    }
    return String.join("\n", again.story());
  }

  @Override
  public String toString() {
    return count == 1 ? "seed " + first : "seeds " + first + " to " + (first + count - 1);
  }
}
