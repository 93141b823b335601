package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The keys about waiting; they stand among {@link CallKeys}, and inherit like them. */
record WaitingKeys(
    Key.Value<Duration> detachAfter,
    Key.Value<Approve> approve,
    Key.Value<Duration> approveWithin) {
  private static final Format<Approve> APPROVE =
      new Format<>(
          "`never`, `required`, or a list such as `destructive, delete_*`",
          Map.of("type", "string", "minLength", 1),
          Approve::parse);
  private static final Format<Duration> APPROVE_WITHIN =
      Formats.duration(Duration.ofSeconds(1), Durations.MONTH);

  private static final String DETACH_AFTER_HELP =
      "After how long a client is told to come back for the result. The call goes on without it."
          + " `off` lets it wait for as long as the call takes.";
  private static final String APPROVE_HELP =
      "Which calls wait until a person has approved them: all, none, or those of the tools that"
          + " are named, where `*` stands for any characters and `destructive` for writes whose"
          + " `destructiveHint` is not `false`.";
  private static final String APPROVE_WITHIN_HELP =
      "How long a call waits to be approved, within its run. After that it is stopped.";

  /** Those of {@code defaults}. */
  static WaitingKeys standard() {
    return new WaitingKeys(
        Key.Value.of("detach_after", Formats.STALL, "50s", DETACH_AFTER_HELP),
        Key.Value.of("approve", APPROVE, "never", APPROVE_HELP),
        Key.Value.of("approve_within", APPROVE_WITHIN, "1h", APPROVE_WITHIN_HELP));
  }

  /** Those that inherit. */
  static WaitingKeys inherited(String from) {
    return new WaitingKeys(
        Key.Value.open("detach_after", Formats.STALL, from, DETACH_AFTER_HELP),
        Key.Value.open("approve", APPROVE, from, APPROVE_HELP),
        Key.Value.open("approve_within", APPROVE_WITHIN, from, APPROVE_WITHIN_HELP));
  }

  List<Key> all() {
    return List.of(detachAfter, approve, approveWithin);
  }

  /** What a place says. */
  WaitingLayer read(MappingReader where) {
    return new WaitingLayer(
        where.written(detachAfter), where.written(approve), where.written(approveWithin));
  }
}
