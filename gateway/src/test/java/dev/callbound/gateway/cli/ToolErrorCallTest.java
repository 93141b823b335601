package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A limit that a write tells only in the text of its error does not say that it did nothing. */
class ToolErrorCallTest {
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
      OneCall.open(journal, "import", effect, now);
      OneCall.attempt(journal, now);
      journal.endAttempt(
          OneCall.CALL,
          1,
          new AttemptEnd(
              Duration.ofSeconds(1),
              FailureRecord.of(new Failure.ToolError(429, null)),
              new Decision(Decision.Action.STOP, null, "final"),
              Evidence.NONE),
          Durability.ON_DISK);
      journal.endCall(
          OneCall.CALL,
          Ending.without(
              Ending.Status.STOPPED,
              Reason.Stopped.RATE_LIMITED,
              "the tool reported an error that wraps status 429",
              1,
              now.plusSeconds(1)),
          null,
          Durability.ON_DISK);
    }
    return Invocation.of("show", OneCall.CALL, "--journal", file.toString()).out();
  }
}
