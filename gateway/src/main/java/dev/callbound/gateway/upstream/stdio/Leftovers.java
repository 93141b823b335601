package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.process.Family;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Ends what a gateway that was killed has left running. A process is taken for the recorded one
 * only if it started when that did: numbers are used again. Where that one has gone, those of its
 * group that carry our mark are ended.
 */
public final class Leftovers {
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** The system tells a start by its boot time, which moves a little as the clock is adjusted. */
  private static final Duration SAME_START = Duration.ofSeconds(1);

  private Leftovers() {}

  /** A process as {@link ProcessLedger#started} told of it. */
  public record Leftover(long pid, Instant startedAt) {}

  /**
   * Ends those that still run, with all that they started: TERM, then KILL, each with a bounded
   * wait.
   *
   * @return those that were found running, and have been ended
   */
  public static List<Leftover> clean(List<Leftover> recorded) {
    List<Running> running = recorded.stream().flatMap(left -> find(left).stream()).toList();
    running.forEach(process -> process.family().terminate());
    long until = System.nanoTime() + GRACE.toNanos();
    for (Running process : running) {
      // One grace for all: they were all asked at the same time.
      if (!process.family().awaitEnd(Duration.ofNanos(until - System.nanoTime()))) {
        process.family().kill();
        process.family().awaitEnd(Family.KILL_PATIENCE);
      }
    }
    return running.stream().map(Running::leftover).toList();
  }

  private record Running(Leftover leftover, Family family) {}

  private static Optional<Running> find(Leftover leftover) {
    Optional<ProcessHandle> holder = ProcessHandle.of(leftover.pid());
    if (holder.isPresent()) {
      return holder
          .filter(handle -> isSame(handle, leftover.startedAt()))
          .map(handle -> new Running(leftover, Family.of(handle)));
    }
    // It ended when its input did, as it should; what it had started may not have.
    Family orphans =
        Family.orphans(leftover.pid(), leftover.startedAt().minus(SAME_START), Environment.MARK);
    return orphans.alive() ? Optional.of(new Running(leftover, orphans)) : Optional.empty();
  }

  private static boolean isSame(ProcessHandle handle, Instant startedAt) {
    return handle
        .info()
        .startInstant()
        .filter(start -> Duration.between(start, startedAt).abs().compareTo(SAME_START) <= 0)
        .isPresent();
  }
}
