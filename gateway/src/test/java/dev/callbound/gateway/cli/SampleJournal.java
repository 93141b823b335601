package dev.callbound.gateway.cli;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** A journal of one night: a run with a read that was retried, a write in doubt, and a refusal. */
final class SampleJournal {
  static final String RUN = "r_01kbdq2x4m0000000000000001";
  static final String READ = "c_01kbdq2xa70000000000000002";
  static final String WRITE = "c_01kbdq2xb80000000000000003";
  static final String REFUSED = "c_01kbdq2xc90000000000000004";

  private static final Instant START = Instant.parse("2026-11-30T23:15:00Z");

  private final JournalStore journal;

  private SampleJournal(JournalStore journal) {
    this.journal = journal;
  }

  /** Writes it into a new file in the folder. */
  static Path in(Path folder) {
    Path file = folder.resolve("callbound.db");
    try (JournalStore journal = SqliteJournal.open(file, InstantSource.fixed(START))) {
      new SampleJournal(journal).write();
    }
    return file;
  }

  private void write() {
    journal.openRun(
        RunRecord.running(
            RUN, "nightly", "local", "claude-code 2.1", START, START.plusSeconds(7_200), 50));
    read();
    write(WRITE, "create_issue", 90);
    refused();
    journal.endRun(RUN, RunState.DONE, "its session ended", START.plusSeconds(200));
  }

  private void read() {
    open(READ, "list_issues", Effect.READ, EffectSource.ANNOTATIONS, 1, null);
    attempt(
        READ,
        1,
        1,
        Duration.ofMillis(120),
        new FailureRecord("limited", "status 429", false),
        new Decision(Decision.Action.RETRY, Duration.ofSeconds(7), "the provider named this wait"),
        Evidence.NONE);
    attempt(
        READ,
        2,
        9,
        Duration.ofMillis(80),
        null,
        new Decision(Decision.Action.OK, null, "the tool answered"),
        Evidence.NONE);
    end(READ, Ending.Status.OK, null, "", 2, 9);
  }

  private void write(String id, String tool, int second) {
    open(id, tool, Effect.WRITE, EffectSource.DEFAULT, second, "{\"title\":\"Night\"}");
    attempt(
        id,
        1,
        second,
        Duration.ofMillis(60_002),
        new FailureRecord("timed_out", "no answer within 60002 ms", true),
        new Decision(
            Decision.Action.UNKNOWN,
            null,
            "a write without key or check may have happened, so it is not repeated"),
        new Evidence(3, Duration.ofSeconds(41), 12, "stderr: \u001b[31mrate limiter asleep"));
    end(
        id,
        Ending.Status.UNKNOWN,
        Reason.Unknown.TIMED_OUT,
        "no answer within 60002 ms",
        1,
        second + 60);
  }

  private void refused() {
    open(REFUSED, "close_issue", Effect.WRITE, EffectSource.CONFIG, 160, null);
    end(
        REFUSED,
        Ending.Status.STOPPED,
        Reason.Stopped.INVALID_ARGUMENTS,
        "/number: is missing",
        0,
        160);
  }

  private void open(
      String id,
      String tool,
      Effect effect,
      EffectSource from,
      int second,
      @Nullable String arguments) {
    journal.openCall(
        new CallRecord(
            id,
            RUN,
            null,
            "github",
            tool,
            effect,
            from,
            Recognition.NONE,
            null,
            null,
            "sha256:44136fa3",
            arguments,
            START.plusSeconds(second),
            null,
            null),
        null,
        Durability.ON_DISK);
  }

  private void attempt(
      String call,
      int number,
      int second,
      Duration waited,
      @Nullable FailureRecord failure,
      Decision decision,
      Evidence evidence) {
    journal.beginAttempt(
        call,
        new AttemptRecord(
            number, Duration.ofSeconds(60), Attempt.Limit.TOOL, START.plusSeconds(second), null),
        Durability.ON_DISK);
    journal.endAttempt(
        call, number, new AttemptEnd(waited, failure, decision, evidence), Durability.ON_DISK);
  }

  private void end(
      String call,
      Ending.Status status,
      @Nullable Reason reason,
      String detail,
      int attempts,
      int second) {
    journal.endCall(
        call,
        Ending.without(status, reason, detail, attempts, START.plusSeconds(second)),
        null,
        Durability.ON_DISK);
  }
}
