package dev.callbound.gateway.cli;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** SIGTERM and SIGINT: the first asks the program to stop, the second ends it at once. */
final class StopSignal {
  /** What a shell adds the signal's number to. */
  static final int KILLED = 128;

  private static final List<String> SIGNALS = List.of("TERM", "INT");

  private StopSignal() {}

  /**
   * Listens for the rest of the program's life.
   *
   * @param first run on a thread of its own at the first signal
   */
  static void onFirst(Runnable first) {
    AtomicInteger heard = new AtomicInteger();
    HeardSignals.listen(
        SIGNALS,
        number -> {
          if (heard.incrementAndGet() == 1) {
            Thread.ofPlatform().name("stop").start(first);
          } else {
            Runtime.getRuntime().halt(KILLED + number);
          }
        });
  }
}
