package dev.callbound.policy;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** Several who take from the same at the same time. */
final class Race {
  private static final int THREADS = 4;
  private static final int TRIES = 1_000;

  private Race() {}

  /** Lets four threads try a thousand times each; returns how often it was given. */
  static int taken(BooleanSupplier take) throws Exception {
    var start = new CountDownLatch(1);
    var taken = new ArrayList<Future<Integer>>();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      for (int thread = 0; thread < THREADS; thread++) {
        taken.add(
            threads.submit(
                () -> {
                  start.await();
                  int mine = 0;
                  for (int i = 0; i < TRIES; i++) {
                    mine += take.getAsBoolean() ? 1 : 0;
                  }
                  return mine;
                }));
      }
      start.countDown();
      int sum = 0;
      for (Future<Integer> mine : taken) {
        sum += mine.get();
      }
      return sum;
    }
  }
}
