package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Ids;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settling;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Money;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Records to write. */
final class Records {
  static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  static final InstantSource CLOCK = InstantSource.fixed(NOW);
  static final Ids IDS = new Ids(CLOCK);

  static final AttemptEnd ANSWERED =
      new AttemptEnd(
          Duration.ofMillis(3),
          null,
          new Decision(Decision.Action.OK, null, "the tool answered"),
          Evidence.NONE);

  private Records() {}

  static RunRecord run() {
    return run(null, NOW.plus(Duration.ofHours(2)));
  }

  static RunRecord run(@Nullable String name, Instant deadline) {
    return RunRecord.running(IDS.run(), name, "local", "a client", NOW, deadline, 50);
  }

  static CallRecord call(RunRecord run, Effect effect) {
    return call(IDS.call(), run.id(), effect, null);
  }

  static CallRecord call(String id, String run, Effect effect, @Nullable String arguments) {
    return new CallRecord(
        id,
        run,
        null,
        "tickets",
        "create",
        effect,
        EffectSource.DEFAULT,
        Recognition.NONE,
        null,
        null,
        "sha256:00",
        arguments,
        NOW,
        null,
        null);
  }

  /** A write that can be recognised when it comes again. */
  static CallRecord keyed(
      RunRecord run, Recognition recognition, @Nullable String step, String key) {
    return following(run, recognition, step, key, null);
  }

  static CallRecord following(
      RunRecord run,
      Recognition recognition,
      @Nullable String step,
      String key,
      @Nullable String follows) {
    return keyed(IDS.call(), run.id(), recognition, step, key, follows);
  }

  static CallRecord keyed(
      String id,
      String run,
      Recognition recognition,
      @Nullable String step,
      String key,
      @Nullable String follows) {
    return new CallRecord(
        id,
        run,
        step,
        "tickets",
        "create",
        Effect.WRITE,
        EffectSource.DEFAULT,
        recognition,
        key,
        follows,
        "sha256:00",
        null,
        NOW,
        null,
        null);
  }

  static Settling settling(String call, Ending.Status to) {
    return Settling.without(
        call, to, "looked it up", SettledBy.PERSON, "ana", "see #12", NOW.plusSeconds(60));
  }

  static AttemptRecord attempt(int number) {
    return attempt(number, Money.ZERO);
  }

  static AttemptRecord attempt(int number, Money cost) {
    return new AttemptRecord(
        number, Duration.ofSeconds(30), Attempt.Limit.TOOL, NOW, Duration.ZERO, cost, null, null);
  }

  static AttemptEnd failed(Failure failure, Decision.Action action) {
    Duration pause = action == Decision.Action.RETRY ? Duration.ofMillis(250) : null;
    return new AttemptEnd(
        Duration.ofMillis(3),
        FailureRecord.of(failure),
        new Decision(action, pause, "because"),
        Evidence.NONE);
  }

  static Ending ok() {
    return Ending.without(Ending.Status.OK, null, "", 1, NOW);
  }

  static Ending unknown() {
    return Ending.without(
        Ending.Status.UNKNOWN, Reason.Unknown.TIMED_OUT, "no answer within 30 s", 1, NOW);
  }
}
