package dev.callbound.gateway.cli;

import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Recognition;
import java.time.Duration;
import java.time.Instant;

/** A journal in which one call is open, of a run that is running. */
final class OneCall {
  static final String RUN = "r_01kbe0003b0000000000000000";
  static final String CALL = "c_01kbe0003b0000000000000000";

  private OneCall() {}

  /** Opens the run and the call, which has no attempt yet. */
  static void open(JournalStore journal, String tool, Effect effect, Instant at) {
    journal.openRun(RunRecord.running(RUN, null, "local", "c", at, at.plusSeconds(600), 5));
    journal.openCall(
        new CallRecord(
            CALL,
            RUN,
            null,
            "crm",
            tool,
            effect,
            EffectSource.DEFAULT,
            Recognition.NONE,
            null,
            null,
            "sha256:00",
            null,
            at,
            null,
            null),
        null,
        Durability.ON_DISK);
  }

  /** Begins its first attempt, for which it has five minutes. */
  static void attempt(JournalStore journal, Instant at) {
    journal.beginAttempt(
        CALL,
        new AttemptRecord(1, Duration.ofMinutes(5), Attempt.Limit.TOOL, at, null),
        Durability.ON_DISK);
  }
}
