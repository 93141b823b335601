package dev.callbound.gateway.cli;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.RepeatRecord.Kind;
import dev.callbound.journal.Replay;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settling;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** A journal of writes: repeated, in doubt, asked for again, settled, and contradicted. */
final class SampleWrites {
  static final String RUN = "r_01kbe000000000000000000000";

  /** Sent twice under its key, then joined and replayed. */
  static final String KEYED = "c_01kbe0001a0000000000000001";

  /** In doubt, with nothing to recognise it by; asked for again twice. */
  static final String LOST = "c_01kbe0002b0000000000000002";

  /** In doubt, and so is {@link #ASKING}, which was to learn the truth about it. */
  static final String ASKED = "c_01kbe0003c0000000000000003";

  static final String ASKING = "c_01kbe0004d0000000000000004";

  /** Settled by a late answer, and contradicted by a person. */
  static final String LATE = "c_01kbe0005e0000000000000005";

  /** Still open. */
  static final String OPEN = "c_01kbe0006f0000000000000006";

  /** Stopped, and never in doubt. */
  static final String STOPPED = "c_01kbe0007h0000000000000007";

  private static final Instant START = Instant.parse("2026-11-30T23:15:00Z");
  private static final String CLIENT = "claude-code 2.1";
  private static final FailureRecord TIMED_OUT =
      new FailureRecord("timed_out", "no answer within 60002 ms", true);
  private static final FailureRecord BROKEN =
      new FailureRecord("broken", "connection reset by peer", true);

  private final JournalStore journal;

  private SampleWrites(JournalStore journal) {
    this.journal = journal;
  }

  /** Writes it into a new file in the folder. */
  static Path in(Path folder) {
    return in(folder, "callbound.db");
  }

  static Path in(Path folder, String name) {
    Path file = folder.resolve(name);
    try (JournalStore journal = SqliteJournal.open(file, InstantSource.fixed(START))) {
      new SampleWrites(journal).write();
    }
    return file;
  }

  private void write() {
    journal.openRun(
        RunRecord.running(RUN, "deploy", "local", CLIENT, START, START.plusSeconds(7_200), 50));
    keyed();
    lost();
    asked();
    late();
    open(OPEN, "merge_branch", Recognition.NONE, "d", null, null, 600);
    begin(OPEN, 1, 600);
    open(STOPPED, "close_issue", Recognition.NONE, "e", null, null, 610);
    end(STOPPED, Status.STOPPED, Reason.Stopped.DENIED, "not by night", 0, 610);
    journal.endRun(RUN, RunState.DONE, "its session ended", START.plusSeconds(900));
  }

  private void keyed() {
    open(KEYED, "charge_card", Recognition.KEY, "a", null, "charge 17", 1);
    attempt(KEYED, 1, 1, BROKEN, Action.RETRY, "the tool recognises a repeat by its key");
    attempt(KEYED, 2, 3, null, Action.OK, "the tool answered");
    journal.endCall(
        KEYED,
        new Ending(Status.OK, null, "", 2, START.plusSeconds(4), "sha256:01", 12, null),
        new Replay("{\"paid\":true}", false),
        Durability.ON_DISK);
    repeat(KEYED, 2, Kind.JOINED, "charge 17");
    repeat(KEYED, 60, Kind.REPLAYED, "charge 17");
    repeat(KEYED, 70, Kind.CONFLICT, "charge 17");
  }

  private void lost() {
    open(LOST, "create_issue", Recognition.NONE, "b", null, null, 90);
    attempt(
        LOST,
        1,
        90,
        TIMED_OUT,
        Action.UNKNOWN,
        "a write without key or check may have happened, so it is not repeated");
    end(LOST, Status.UNKNOWN, Reason.Unknown.TIMED_OUT, TIMED_OUT.detail(), 1, 150);
    repeat(LOST, 155, Kind.TOLD, null);
    repeat(LOST, 170, Kind.TOLD, null);
  }

  private void asked() {
    open(ASKED, "add_comment", Recognition.CHECK, "c", null, null, 200);
    attempt(ASKED, 1, 200, BROKEN, Action.UNKNOWN, "the check gave no clear answer: status 502");
    end(ASKED, Status.UNKNOWN, Reason.Unknown.CHECK_FAILED, "status 502", 1, 210);
    open(ASKING, "add_comment", Recognition.CHECK, "c", ASKED, null, 300);
    end(ASKING, Status.UNKNOWN, Reason.Unknown.CHECK_FAILED, "status 502", 0, 301);
  }

  private void late() {
    open(LATE, "create_release", Recognition.NONE, "f", null, null, 400);
    attempt(LATE, 1, 400, TIMED_OUT, Action.UNKNOWN, "a write without key or check");
    end(LATE, Status.UNKNOWN, Reason.Unknown.TIMED_OUT, TIMED_OUT.detail(), 1, 460);
    journal.settle(
        new Settling(
            LATE,
            Status.OK,
            null,
            "the tool answered after 71 s",
            SettledBy.LATE_ANSWER,
            "github",
            null,
            START.plusSeconds(471),
            new Replay("{\"id\":7}", false),
            "sha256:07",
            8,
            null));
    journal.settle(
        Settling.without(
            LATE,
            Status.STOPPED,
            "a person found that it did not take effect",
            SettledBy.PERSON,
            "ana",
            "no such release \u001b[2Jon the page",
            START.plusSeconds(30_000)));
  }

  private void open(
      String id,
      String tool,
      Recognition recognition,
      String key,
      @Nullable String follows,
      @Nullable String step,
      int second) {
    journal.openCall(
        new CallRecord(
            id,
            RUN,
            step,
            "github",
            tool,
            Effect.WRITE,
            EffectSource.DEFAULT,
            recognition,
            "8b1c1f0" + key + "-5a0e-8c3d-9f00-1234567890ab",
            follows,
            "sha256:44136fa3",
            null,
            START.plusSeconds(second),
            null,
            null),
        recognition == Recognition.NONE ? null : "{\"body\":\"done\"}",
        Durability.ON_DISK);
  }

  private void begin(String call, int number, int second) {
    journal.beginAttempt(
        call,
        new AttemptRecord(
            number, Duration.ofSeconds(60), Attempt.Limit.TOOL, START.plusSeconds(second), null),
        Durability.ON_DISK);
  }

  private void attempt(
      String call,
      int number,
      int second,
      @Nullable FailureRecord failure,
      Action action,
      String why) {
    begin(call, number, second);
    Duration pause = action == Action.RETRY ? Duration.ofMillis(250) : null;
    journal.endAttempt(
        call,
        number,
        new AttemptEnd(
            Duration.ofMillis(900), failure, new Decision(action, pause, why), Evidence.NONE),
        Durability.ON_DISK);
  }

  private void end(
      String call, Status status, @Nullable Reason reason, String detail, int tries, int second) {
    journal.endCall(
        call,
        Ending.without(status, reason, detail, tries, START.plusSeconds(second)),
        null,
        Durability.ON_DISK);
  }

  private void repeat(String call, int second, Kind kind, @Nullable String step) {
    journal.repeated(new RepeatRecord(call, START.plusSeconds(second), kind, step, CLIENT));
  }
}
