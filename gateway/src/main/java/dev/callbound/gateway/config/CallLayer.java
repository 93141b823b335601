package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one place of the file says about calls. Null stands for what it doesn't say.
 *
 * @param where the place, for errors
 * @param keys the place's keys
 */
record CallLayer(
    MappingReader where,
    CallKeys keys,
    @Nullable Duration deadline,
    @Nullable Duration callDeadline,
    @Nullable Integer attempts,
    @Nullable Duration stall,
    @Nullable Recording record,
    @Nullable List<String> mask) {

  /** Reads a place, and reports deadlines that are longer than the run's. */
  static CallLayer read(MappingReader where, CallKeys keys, Duration run) {
    return new CallLayer(
        where,
        keys,
        withinRun(where, keys.deadline(), run),
        withinRun(where, keys.callDeadline(), run),
        where.written(keys.attempts()),
        where.written(keys.stall()),
        where.written(keys.record()),
        where.written(keys.mask()));
  }

  private static @Nullable Duration withinRun(
      MappingReader where, Key.Value<Duration> key, Duration run) {
    Duration written = where.written(key);
    if (written == null || written.compareTo(run) <= 0) {
      return written;
    }
    where.problem(
        key,
        Durations.format(written) + " is longer than the run's deadline " + Durations.format(run),
        "shorten it, or lengthen run.deadline");
    return null;
  }
}
