package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a tool, from what is said of it: by itself over its server over the defaults.
 *
 * <p>What somebody wrote holds. A deadline that nobody wrote gives way to it: with a run of 30 s
 * the default deadline of 60 s is 30 s.
 *
 * @param layers the innermost first
 * @param run the run's deadline
 */
record CallLayers(List<CallLayer> layers, Duration run) {
  CallLayers {
    layers = List.copyOf(layers);
  }

  static CallLayers of(CallLayer defaults, Duration run) {
    return new CallLayers(List.of(defaults), run);
  }

  /** These under a further layer that goes before them. */
  CallLayers under(CallLayer inner) {
    List<CallLayer> more = new ArrayList<>(layers);
    more.addFirst(inner);
    return new CallLayers(more, run);
  }

  /**
   * What holds, with no effect. Reports a contradiction where the innermost layer brought it in.
   */
  ToolConfig resolve() {
    Duration deadline = first(CallLayer::deadline);
    Duration callDeadline = first(CallLayer::callDeadline);
    if (deadline != null && callDeadline != null && callDeadline.compareTo(deadline) < 0) {
      report(deadline, callDeadline);
      callDeadline = deadline;
    }
    if (deadline == null) {
      deadline = least(Keys.DEFAULT_CALL.deadline().required(), run, callDeadline);
    }
    if (callDeadline == null) {
      callDeadline = callDeadline(deadline, run);
    }
    Duration stall = first(CallLayer::stall);
    return new ToolConfig(
        null,
        deadline,
        callDeadline,
        firstOr(CallLayer::attempts, Keys.DEFAULT_CALL.attempts()),
        stall == null || stall.isZero() ? null : stall,
        firstOr(CallLayer::record, Keys.DEFAULT_CALL.record()),
        mask());
  }

  /** The call's deadline where nobody wrote one. */
  static Duration callDeadline(Duration deadline, Duration run) {
    Duration several = deadline.multipliedBy(CallKeys.CALL_DEADLINES);
    Duration least = CallKeys.LEAST_CALL_DEADLINE;
    return least(several.compareTo(least) > 0 ? several : least, run, null);
  }

  private void report(Duration deadline, Duration callDeadline) {
    CallLayer inner = layers.getFirst();
    if (inner.deadline() == null && inner.callDeadline() == null) {
      return;
    }
    boolean here = inner.callDeadline() != null;
    inner
        .where()
        .problem(
            here ? inner.keys().callDeadline() : inner.keys().deadline(),
            "the call's deadline "
                + Durations.format(callDeadline)
                + " is shorter than an attempt's, "
                + Durations.format(deadline),
            "set "
                + inner.keys().callDeadline().name()
                + " here to at least "
                + Durations.format(deadline));
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

  private <T> @Nullable T first(Function<CallLayer, @Nullable T> part) {
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

  private static Duration least(Duration one, Duration other, @Nullable Duration third) {
    Duration least = one.compareTo(other) < 0 ? one : other;
    return third != null && third.compareTo(least) < 0 ? third : least;
  }
}
