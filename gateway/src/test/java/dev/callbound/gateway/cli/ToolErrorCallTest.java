package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A limit that a write tells only in the text of its error does not say that it did nothing. */
class ToolErrorCallTest {
  private static final String RUN = "r_01kbe0003b0000000000000000";
  private static final String CALL = "c_01kbe0003b0000000000000000";

  @TempDir Path folder;

  @Test
  void whatAWriteHadDoneBeforeItsErrorIsNotSaidToBeNothing() {
    assertThat(shown(Effect.WRITE))
        .contains("outcome      stopped: rate_limited")
        .contains("tool_error: the tool reported an error that wraps status 429")
        .contains("what it had done by then, only it can say")
        .doesNotContain("did not run", "Nothing is in doubt");
  }

  @Test
  void aReadMayBeMadeAgain() {
    assertThat(shown(Effect.READ)).contains("Nothing is in doubt: the call may be made again.");
  }

  private String shown(Effect effect) {
    Path file = folder.resolve("callbound.db");
    Instant now = Instant.now();
    try (JournalStore journal = SqliteJournal.open(file, InstantSource.system())) {
      journal.openRun(RunRecord.running(RUN, null, "local", "c", now, now.plusSeconds(600), 5));
      journal.openCall(
          new CallRecord(
              CALL,
              RUN,
              null,
              "crm",
              "import",
              effect,
              EffectSource.DEFAULT,
              Recognition.NONE,
              null,
              null,
              "sha256:00",
              null,
              now,
              null,
              null),
          null,
          Durability.ON_DISK);
      journal.beginAttempt(
          CALL,
          new AttemptRecord(1, Duration.ofMinutes(5), Attempt.Limit.TOOL, now, null),
          Durability.ON_DISK);
      journal.endAttempt(
          CALL,
          1,
          new AttemptEnd(
              Duration.ofSeconds(1),
              FailureRecord.of(new Failure.ToolError(429, null)),
              new Decision(Decision.Action.STOP, null, "final"),
              Evidence.NONE),
          Durability.ON_DISK);
      journal.endCall(
          CALL,
          Ending.without(
              Ending.Status.STOPPED,
              Reason.Stopped.RATE_LIMITED,
              "the tool reported an error that wraps status 429",
              1,
              now.plusSeconds(1)),
          null,
          Durability.ON_DISK);
    }
    return Invocation.of("show", CALL, "--journal", file.toString()).out();
  }
}
