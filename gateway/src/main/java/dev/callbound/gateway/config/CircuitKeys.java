package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.List;

/** The keys under {@code circuit}, which stand where those of {@link CallKeys} do. */
record CircuitKeys(
    Key.Value<CircuitConfig.Scope> per,
    Key.Value<Integer> failures,
    Key.Value<Duration> window,
    Key.Value<Duration> coolDown,
    Section section) {
  private static final String NAME = "circuit";
  private static final String OFF = "off";

  private static final Format<CircuitConfig.Scope> SCOPE =
      Formats.choice(CircuitConfig.Scope.class);
  private static final Format<Integer> COUNT = Formats.count(1, 1_000);
  private static final Format<Duration> TIME =
      Formats.duration(Duration.ofMillis(100), Duration.ofHours(1));

  private static final String PER_HELP =
      "Whether each tool has a circuit of its own, or all tools of the server share one. A wait that"
          + " the provider names is kept by the same calls.";
  private static final String FAILURES_HELP =
      "How many failures open the circuit, unless more attempts worked meanwhile.";
  private static final String WINDOW_HELP = "Within how long these failures must fall.";
  private static final String COOL_DOWN_HELP =
      "How long calls are turned away at most before one of them may try.";
  private static final String HELP =
      "When calls are kept from a tool or a server that fails again and again.";

  /** Those of {@code defaults}. */
  static CircuitKeys standard() {
    return of(
        "defaults",
        Key.Value.of("per", SCOPE, "tool", PER_HELP),
        Key.Value.of("failures", COUNT, "5", FAILURES_HELP),
        Key.Value.of("window", TIME, "30s", WINDOW_HELP),
        Key.Value.of("cool_down", TIME, "15s", COOL_DOWN_HELP));
  }

  /**
   * Those that inherit.
   *
   * @param place where they stand in the file
   * @param from where they inherit from, in words
   */
  static CircuitKeys inherited(String place, String from) {
    return of(
        place,
        Key.Value.open("per", SCOPE, from, PER_HELP),
        Key.Value.open("failures", COUNT, from, FAILURES_HELP),
        Key.Value.open("window", TIME, from, WINDOW_HELP),
        Key.Value.open("cool_down", TIME, from, COOL_DOWN_HELP));
  }

  private static CircuitKeys of(
      String place,
      Key.Value<CircuitConfig.Scope> per,
      Key.Value<Integer> failures,
      Key.Value<Duration> window,
      Key.Value<Duration> coolDown) {
    return new CircuitKeys(
        per,
        failures,
        window,
        coolDown,
        new Section(place + "." + NAME, List.of(per, failures, window, coolDown)));
  }

  /**
   * The key that these stand under.
   *
   * @param standard what holds where it is not written, in words
   */
  Key.PartOrWord key(String standard) {
    return new Key.PartOrWord(NAME, OFF, section, standard, HELP);
  }
}
