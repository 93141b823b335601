package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.List;

/**
 * The keys about attempts that are stuck; they stand among {@link CallKeys}, and inherit like them.
 */
record StuckKeys(Key.Value<Duration> after, Key.Value<WhenStuck> then) {
  private static final Format<WhenStuck> THEN = Formats.choice(WhenStuck.class);

  private static final String AFTER_HELP =
      "How long an attempt may make no progress until it is marked as stuck and somebody is told. A"
          + " sign of life is not progress.";
  private static final String THEN_HELP =
      "What becomes of an attempt that is stuck: it goes on, or its call is cancelled.";

  /** Those of {@code defaults}. */
  static StuckKeys standard() {
    return new StuckKeys(
        Key.Value.of("stuck_after", Formats.STALL, "off", AFTER_HELP),
        Key.Value.of("stuck", THEN, "mark", THEN_HELP));
  }

  /** Those that inherit. */
  static StuckKeys inherited(String from) {
    return new StuckKeys(
        Key.Value.open("stuck_after", Formats.STALL, from, AFTER_HELP),
        Key.Value.open("stuck", THEN, from, THEN_HELP));
  }

  List<Key> all() {
    return List.of(after, then);
  }

  /** What a place says. */
  StuckLayer read(MappingReader where) {
    return new StuckLayer(where.written(after), where.written(then));
  }
}
