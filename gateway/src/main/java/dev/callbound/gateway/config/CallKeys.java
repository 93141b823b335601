package dev.callbound.gateway.config;

import dev.callbound.policy.Money;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys that bound and record a call. They stand in three places, each inheriting from the one
 * before it: {@code defaults}, a server, a tool.
 */
record CallKeys(
    Key.Value<Duration> deadline,
    Key.Value<Duration> callDeadline,
    Key.Value<Integer> attempts,
    Key.Value<Duration> stall,
    Key.Value<Recording> record,
    Key.Values<String> mask,
    Key.Value<Duration> lateWindow,
    Key.Value<Duration> settleFor,
    Key.Value<Money> price,
    WaitingKeys waiting,
    StuckKeys stuck,
    CircuitKeys circuits,
    Key.PartOrWord circuit) {
  /** Where nobody wrote the call's deadline, it is this many of the attempt's, ... */
  static final int CALL_DEADLINES = 3;

  /** ... and at least this. */
  static final Duration LEAST_CALL_DEADLINE = Duration.ofMinutes(5);

  private static final Format<Duration> DEADLINE =
      Formats.duration(Duration.ofMillis(1), Durations.MONTH);
  private static final Format<Integer> ATTEMPTS = Formats.count(1, ToolConfig.MOST_ATTEMPTS);
  private static final Format<Recording> RECORD = Formats.choice(Recording.class);

  private static final Format<Duration> LATE_WINDOW =
      Formats.duration(Duration.ZERO, Duration.ofHours(1));
  private static final Format<Duration> SETTLE_FOR =
      Formats.duration(Duration.ZERO, Durations.MONTH);

  private static final String DEADLINE_HELP =
      "The longest that one attempt may take, connecting included. At most the run's deadline.";
  private static final String CALL_DEADLINE_HELP =
      "The longest that a whole call may take, with every attempt and every wait between them. At"
          + " least the deadline, at most the run's.";
  private static final String ATTEMPTS_HELP =
      "How many attempts a call may make, the first included.";
  private static final String STALL_HELP =
      "The longest silence of the server during an attempt. Progress ends a silence; it never"
          + " extends the deadline.";
  private static final String RECORD_HELP =
      "What the journal keeps of arguments and results: their hash and size, or all of them.";
  private static final String MASK_HELP =
      "What is left out of recorded arguments and results: a field's name, at any depth and in any"
          + " case, or a JSON pointer.";

  private static final String LATE_WINDOW_HELP =
      "How long a write is listened to after its deadline, in case its answer is only late. `0`"
          + " cancels it there and then.";
  private static final String SETTLE_FOR_HELP =
      "How long an unknown outcome is asked about again, where a check can tell. `0` asks no more.";

  private static final String PRICE_HELP =
      "What one attempt costs its run, in whatever currency `run.spend` counts in. One that never"
          + " reached the server costs nothing.";

  /** What `mask` is when nobody says otherwise: the names under which people pass secrets. */
  private static final List<String> MASKED =
      List.of(
          "password",
          "passwd",
          "passphrase",
          "secret",
          "client_secret",
          "token",
          "access_token",
          "refresh_token",
          "id_token",
          "api_key",
          "apikey",
          "authorization",
          "cookie",
          "credentials",
          "private_key");

  /** Those of {@code defaults}. */
  static CallKeys standard() {
    CircuitKeys circuits = CircuitKeys.standard();
    return new CallKeys(
        Key.Value.of("deadline", DEADLINE, "60s", DEADLINE_HELP),
        Key.Value.open(
            "call_deadline",
            DEADLINE,
            CALL_DEADLINES
                + " times the deadline, at least "
                + Durations.format(LEAST_CALL_DEADLINE)
                + " and at most the run's",
            CALL_DEADLINE_HELP),
        Key.Value.of("attempts", ATTEMPTS, "3", ATTEMPTS_HELP),
        Key.Value.of("stall", Formats.STALL, "off", STALL_HELP),
        Key.Value.of("record", RECORD, "digest", RECORD_HELP),
        Key.Values.of(
            "mask", Formats.MASK, MASKED, MASK_HELP + " Written here, it replaces the default."),
        Key.Value.open(
            "late_window",
            LATE_WINDOW,
            "`"
                + Durations.format(ToolConfig.STANDARD_LATE_WINDOW)
                + "` where a repeat is not recognised, else `0`",
            LATE_WINDOW_HELP),
        Key.Value.of("settle_for", SETTLE_FOR, "10m", SETTLE_FOR_HELP),
        Key.Value.of("price", Formats.MONEY, "0", PRICE_HELP),
        WaitingKeys.standard(),
        StuckKeys.standard(),
        circuits,
        circuits.key("on, as below"));
  }

  /**
   * Those that inherit.
   *
   * @param place where they stand in the file
   * @param from where they inherit from, in words
   */
  static CallKeys inherited(String place, String from) {
    CircuitKeys circuits = CircuitKeys.inherited(place, from);
    return new CallKeys(
        Key.Value.open("deadline", DEADLINE, from, DEADLINE_HELP),
        Key.Value.open("call_deadline", DEADLINE, from, CALL_DEADLINE_HELP),
        Key.Value.open("attempts", ATTEMPTS, from, ATTEMPTS_HELP),
        Key.Value.open("stall", Formats.STALL, from, STALL_HELP),
        Key.Value.open("record", RECORD, from, RECORD_HELP),
        Key.Values.open(
            "mask", Formats.MASK, from, MASK_HELP + " Written here, it adds to what is inherited."),
        Key.Value.open("late_window", LATE_WINDOW, from, LATE_WINDOW_HELP),
        Key.Value.open("settle_for", SETTLE_FOR, from, SETTLE_FOR_HELP),
        Key.Value.open("price", Formats.MONEY, from, PRICE_HELP),
        WaitingKeys.inherited(from),
        StuckKeys.inherited(from),
        circuits,
        circuits.key(from));
  }

  List<Key> all() {
    List<Key> all =
        new ArrayList<>(
            List.of(
                deadline,
                callDeadline,
                attempts,
                stall,
                record,
                mask,
                lateWindow,
                settleFor,
                price));
    all.addAll(waiting.all());
    all.addAll(stuck.all());
    all.add(circuit);
    return List.copyOf(all);
  }
}
