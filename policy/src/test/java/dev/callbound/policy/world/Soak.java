package dev.callbound.policy.world;

import dev.callbound.policy.world.Book.Status;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Plays one schedule after the other for as long as it is told, and says how many it was. Ends at
 * the first in which something does not hold, with its seed and its story. {@code benchmarks/soak}
 * starts it.
 */
final class Soak {
  private static final int GROUP = 1_000;
  private static final Duration REPORT = Duration.ofSeconds(10);

  private final Map<String, Long> counts = new TreeMap<>();
  private long schedules;

  private Soak() {}

  /** Takes a duration as in ISO 8601 without its PT, such as {@code 90s} or {@code 8h}; a seed. */
  public static void main(String[] arguments) {
    Duration duration = Duration.parse("PT" + (arguments.length > 0 ? arguments[0] : "1m"));
    long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.currentTimeMillis();
    try {
      new Soak().run(duration, first);
    } catch (AssertionError e) {
      System.out.println(e.getMessage());
      Throwable cause = e.getCause();
      System.out.println(cause == null ? "" : cause.getMessage());
      System.exit(1);
    }
  }

  private void run(Duration duration, long first) {
    System.out.println("from seed " + first + " for " + duration);
    long begun = System.nanoTime();
    long reported = begun;
    for (long seed = first; System.nanoTime() - begun < duration.toNanos(); seed += GROUP) {
      new Schedules(seed, GROUP).play(false, this::count);
      if (System.nanoTime() - reported >= REPORT.toNanos()) {
        reported = System.nanoTime();
        report(seed + GROUP);
      }
    }
    report(first + schedules);
    System.out.println("everything held");
  }

  private void count(World world) {
    schedules++;
    add("calls", world.book().rows().size());
    add("attempts", world.provider().sends().size());
    add("effects", world.provider().ledger().size());
    world.seen().forEach(what -> add("with " + what, 1));
    for (Status status : Status.values()) {
      add("told " + status, world.heard().stream().filter(it -> it.status() == status).count());
    }
  }

  private void add(String what, long more) {
    counts.merge(what, more, Long::sum);
  }

  private void report(long before) {
    System.out.printf("%,d schedules, to seed %d: %s%n", schedules, before - 1, counts);
  }
}
