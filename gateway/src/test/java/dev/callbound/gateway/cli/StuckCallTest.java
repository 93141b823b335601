package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.Pulse;
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

/** What {@code show} says of an attempt that was marked as stuck, before and after its end. */
class StuckCallTest {
  @TempDir Path folder;

  @Test
  void whatWasStuckIsShownToHaveBeenSoWhateverBecameOfIt() throws Exception {
    String file = folder.resolve("callbound.db").toString();
    Instant begun = Instant.now().minusSeconds(200);
    try (JournalStore journal = SqliteJournal.open(Path.of(file), InstantSource.system())) {
      begin(journal, begun);
      assertThat(Invocation.of("show", OneCall.CALL, "--journal", file).out())
          .contains("no progress", "3 other signs of life")
          .containsPattern("stuck\\s+for 1 m 2\\d s");

      end(journal, begun.plusSeconds(121));
    }

    assertThat(Invocation.of("show", OneCall.CALL, "--journal", file).out())
        .contains("outcome      unknown: cancelled_in_flight")
        .contains("cancelled: ", "made no progress")
        .contains("marked as stuck 2 m after it began");
    JsonNode json =
        new ObjectMapper()
            .readTree(Invocation.of("show", OneCall.CALL, "--json", "--journal", file).out());
    assertThat(Instant.parse(json.at("/attempt_list/0/stuck_since").asText()))
        .isAfterOrEqualTo(begun.plusSeconds(119));
  }

  private static void begin(JournalStore journal, Instant begun) {
    OneCall.open(journal, "import", Effect.WRITE, begun);
    OneCall.attempt(journal, begun);
    Instant stuck = begun.plusSeconds(120);
    journal.attemptSeen(OneCall.CALL, 1, new Pulse(0, null, 3, stuck, stuck));
    // Asked of the writer, which does one thing after the other.
    journal.processesLeft();
  }

  private static void end(JournalStore journal, Instant at) {
    Failure failure = new Failure.Cancelled(Failure.Cancelled.By.STUCK, true);
    journal.endAttempt(
        OneCall.CALL,
        1,
        new AttemptEnd(
            Duration.ofSeconds(121),
            FailureRecord.of(failure),
            new Decision(Decision.Action.UNKNOWN, null, "it may have happened"),
            Evidence.NONE),
        Durability.ON_DISK);
    journal.endCall(
        OneCall.CALL,
        Ending.without(
            Ending.Status.UNKNOWN, Reason.Unknown.CANCELLED_IN_FLIGHT, failure.detail(), 1, at),
        null,
        Durability.ON_DISK);
  }
}
