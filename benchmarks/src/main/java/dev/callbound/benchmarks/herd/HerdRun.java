package dev.callbound.benchmarks.herd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.client.WireException;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One of the runs: calls the tool, thinks for a moment whatever came of it, and calls again.
 * Belongs to one thread.
 */
final class HerdRun implements AutoCloseable {
  private static final String TOOL = "read_ok";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What a model takes for its next turn: half of it to one and a half. */
  private static final Duration THINKS = Duration.ofSeconds(1);

  private final McpClient client;
  private final int attempts;
  private final SplittableRandom random;

  /**
   * A run that is ready.
   *
   * @param attempts how often it tries one call at once
   */
  HerdRun(URI server, String name, int attempts, SplittableRandom random)
      throws InterruptedException {
    this.client =
        McpClient.http(server)
            .revision(Revision.V2026_07_28)
            .meta("dev.callbound/run", "\"" + name + "\"")
            .timeout(PATIENCE)
            .connect();
    this.attempts = attempts;
    this.random = random;
  }

  /**
   * Goes on until then.
   *
   * @param untilNanos a reading of the monotonic clock
   * @param upNanos when the server works again
   * @param backNanos set to the first answer after that
   */
  void live(long untilNanos, long upNanos, AtomicLong backNanos) throws InterruptedException {
    think(random.nextDouble());
    while (System.nanoTime() - untilNanos < 0) {
      boolean answered = call();
      long now = System.nanoTime();
      if (answered && now - upNanos > 0) {
        backNanos.accumulateAndGet(now, (first, other) -> first == 0 ? other : first);
      }
      think(0.5 + random.nextDouble());
    }
  }

  /** Tries at once as often as it may, as agent loops do. Returns whether it was answered. */
  private boolean call() throws InterruptedException {
    for (int number = 1; number <= attempts; number++) {
      if (attempt()) {
        return true;
      }
    }
    return false;
  }

  private boolean attempt() throws InterruptedException {
    try {
      JsonNode result = client.call(TOOL, "{\"marker\":\"herd\"}").path("result");
      return result.isObject() && !result.path("isError").asBoolean();
    } catch (WireException _) {
      return false;
    }
  }

  private static void think(double times) throws InterruptedException {
    Thread.sleep(Math.round(THINKS.toMillis() * times));
  }

  @Override
  public void close() {
    client.close();
  }
}
