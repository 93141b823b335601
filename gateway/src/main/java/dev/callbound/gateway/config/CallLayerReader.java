package dev.callbound.gateway.config;

import dev.callbound.policy.Money;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what one place of a file says about calls.
 *
 * @param where the place
 * @param keys the place's keys
 * @param run the run's deadline, within which every other lies
 * @param spend what a run may spend; null for as much as it likes
 * @param origin which place it is
 */
record CallLayerReader(
    MappingReader where, CallKeys keys, Duration run, @Nullable Money spend, Origin origin) {
  /** What a place says of several tools. */
  CallLayer read() {
    return new CallLayer(
        origin,
        null,
        withinRun(keys.deadline()),
        withinRun(keys.callDeadline()),
        where.written(keys.attempts()),
        where.written(keys.stall()),
        where.written(keys.record()),
        where.written(keys.mask()),
        where.written(keys.lateWindow()),
        where.written(keys.settleFor()),
        price(),
        keys.waiting().read(where),
        keys.stuck().read(where),
        circuit(),
        null,
        null,
        null);
  }

  /** What a tool's own place says. */
  CallLayer readTool(String tool) {
    return new ToolReader(where, tool).read(read());
  }

  private CircuitConfig.@Nullable Layer circuit() {
    if (!where.has(keys.circuit())) {
      return null;
    }
    if (where.isWord(keys.circuit())) {
      return CircuitConfig.Layer.OFF;
    }
    MappingReader part = where.part(keys.circuit());
    return new CircuitConfig.Layer(
        true,
        part.written(keys.circuits().per()),
        part.written(keys.circuits().failures()),
        part.written(keys.circuits().window()),
        part.written(keys.circuits().coolDown()));
  }

  private @Nullable Money price() {
    Money price = where.written(keys.price());
    if (price != null && spend != null && price.compareTo(spend) > 0) {
      where.problem(
          keys.price(),
          price + " is more than a run may spend, " + spend + ", so that no attempt could be made",
          "lower it, or raise run.spend");
    }
    return price;
  }

  private @Nullable Duration withinRun(Key.Value<Duration> key) {
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

  /**
   * Reports deadlines that contradict each other, where this place brought the contradiction in.
   *
   * @param layers this place's, the innermost, and those around it
   */
  void check(List<CallLayer> layers) {
    CallLayer own = layers.getFirst();
    CallLayers all = new CallLayers(layers, run);
    Duration deadline = all.first(CallLayer::deadline);
    Duration callDeadline = all.first(CallLayer::callDeadline);
    if (deadline == null
        || callDeadline == null
        || callDeadline.compareTo(deadline) >= 0
        || (own.deadline() == null && own.callDeadline() == null)) {
      return;
    }
    where.problem(
        own.callDeadline() != null ? keys.callDeadline() : keys.deadline(),
        "the call's deadline "
            + Durations.format(callDeadline)
            + " is shorter than an attempt's, "
            + Durations.format(deadline),
        "set " + keys.callDeadline().name() + " here to at least " + Durations.format(deadline));
  }
}
