package dev.callbound.gateway.config;

import dev.callbound.policy.Circuit;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a tool, from what is said of it: by itself over its server over its profile over
 * the defaults.
 *
 * <p>What somebody wrote holds. A deadline that nobody wrote, or that only a profile knows, gives
 * way to it: with a run of 30 s the default deadline of 60 s is 30 s.
 *
 * @param layers the innermost first
 * @param run the run's deadline
 */
record CallLayers(List<CallLayer> layers, Duration run) {
  CallLayers {
    layers = List.copyOf(layers);
  }

  /** What holds, every part of it. */
  ToolConfig resolve() {
    Duration written = first(CallLayer::callDeadline);
    Duration deadline = deadline(written);
    Duration callDeadline =
        written == null
            ? callDeadline(deadline, run)
            : longest(least(written, run, null), deadline);
    Duration stall = first(CallLayer::stall);
    List<String> target = first(CallLayer::target);
    Boolean repeats = first(CallLayer::repeats);
    Recognise recognise = first(CallLayer::recognise);
    return new ToolConfig(
        first(CallLayer::effect),
        deadline,
        callDeadline,
        firstOr(CallLayer::attempts, Keys.DEFAULT_CALL.attempts()),
        stall == null || stall.isZero() ? null : stall,
        firstOr(CallLayer::record, Keys.DEFAULT_CALL.record()),
        mask(),
        target == null ? List.of() : target,
        repeats != null && repeats,
        recognise == null ? new Recognise.Nothing() : recognise,
        first(CallLayer::lateWindow),
        firstOr(CallLayer::settleFor, Keys.DEFAULT_CALL.settleFor()),
        firstOr(CallLayer::price, Keys.DEFAULT_CALL.price()),
        waiting(),
        stuck(),
        circuit(),
        new ToolConfig.Origins(
            origin(CallLayer::effect), origin(CallLayer::deadline), origin(CallLayer::recognise)));
  }

  private Waiting waiting() {
    WaitingKeys standard = Keys.DEFAULT_CALL.waiting();
    Duration detachAfter = firstOr(layer -> layer.waiting().detachAfter(), standard.detachAfter());
    return new Waiting(
        detachAfter.isZero() ? null : detachAfter,
        firstOr(layer -> layer.waiting().approve(), standard.approve()),
        firstOr(layer -> layer.waiting().approveWithin(), standard.approveWithin()));
  }

  private Stuck stuck() {
    StuckKeys standard = Keys.DEFAULT_CALL.stuck();
    Duration after = firstOr(layer -> layer.stuck().after(), standard.after());
    return new Stuck(
        after.isZero() ? null : after, firstOr(layer -> layer.stuck().then(), standard.then()));
  }

  /** The circuit: there is one unless the innermost place that speaks of it says otherwise. */
  CircuitConfig circuit() {
    CircuitKeys keys = Keys.DEFAULT_CALL.circuits();
    CircuitConfig.Scope per = ofCircuit(CircuitConfig.Layer::per, keys.per());
    CircuitConfig.Layer innermost = first(CallLayer::circuit);
    if (innermost != null && !innermost.on()) {
      return new CircuitConfig(per, null);
    }
    return new CircuitConfig(
        per,
        new Circuit.Terms(
            ofCircuit(CircuitConfig.Layer::failures, keys.failures()),
            ofCircuit(CircuitConfig.Layer::window, keys.window()),
            ofCircuit(CircuitConfig.Layer::coolDown, keys.coolDown())));
  }

  private <T> T ofCircuit(Function<CircuitConfig.Layer, @Nullable T> part, Key.Value<T> key) {
    return firstOr(layer -> layer.circuit() == null ? null : part.apply(layer.circuit()), key);
  }

  private Duration deadline(@Nullable Duration callDeadline) {
    Duration deadline = first(CallLayer::deadline);
    boolean binding = deadline != null && origin(CallLayer::deadline) != Origin.PROFILE;
    if (deadline != null && binding) {
      return deadline;
    }
    Duration known = deadline != null ? deadline : Keys.DEFAULT_CALL.deadline().required();
    return least(known, run, callDeadline);
  }

  /** The call's deadline where nobody wrote one. */
  static Duration callDeadline(Duration deadline, Duration run) {
    Duration several = deadline.multipliedBy(CallKeys.CALL_DEADLINES);
    return least(longest(several, CallKeys.LEAST_CALL_DEADLINE), run, null);
  }

  /** Names add up: a server that masks one more field must not unmask the passwords. */
  private List<String> mask() {
    Set<String> names = new LinkedHashSet<>();
    List<String> outermost = layers.getLast().mask();
    names.addAll(outermost != null ? outermost : Keys.DEFAULT_CALL.mask().required());
    layers.reversed().stream()
        .skip(1)
        .map(CallLayer::mask)
        .filter(Objects::nonNull)
        .flatMap(Collection::stream)
        .forEach(names::add);
    return List.copyOf(names);
  }

  /** The innermost that is said; null if nobody says anything. */
  <T> @Nullable T first(Function<CallLayer, @Nullable T> part) {
    for (CallLayer layer : layers) {
      T value = part.apply(layer);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private <T> T firstOr(Function<CallLayer, @Nullable T> part, Key.Value<T> key) {
    T value = first(part);
    return value != null ? value : key.required();
  }

  private <T> Origin origin(Function<CallLayer, @Nullable T> part) {
    for (CallLayer layer : layers) {
      if (part.apply(layer) != null) {
        return layer.origin();
      }
    }
    return Origin.BUILT_IN;
  }

  private static Duration least(Duration one, Duration other, @Nullable Duration third) {
    Duration least = one.compareTo(other) < 0 ? one : other;
    return third != null && third.compareTo(least) < 0 ? third : least;
  }

  private static Duration longest(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
