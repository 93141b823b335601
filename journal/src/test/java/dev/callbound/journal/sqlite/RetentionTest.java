package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Purged;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Effect;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private static final Instant LATER = NOW.plusSeconds(1);

  @TempDir Path folder;
  private SqliteJournal journal;

  @BeforeEach
  void open() {
    journal = SqliteJournal.open(folder.resolve("journal.db"), Records.CLOCK);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private CallRecord call(RunRecord run, Ending ending) {
    CallRecord call = Records.call(Records.IDS.call(), run.id(), Effect.WRITE, "{}");
    journal.openCall(call, null, SOON);
    journal.beginAttempt(call.id(), Records.attempt(1), SOON);
    journal.endAttempt(call.id(), 1, Records.ANSWERED, SOON);
    journal.endCall(call.id(), ending, null, ON_DISK);
    return call;
  }

  @Test
  void whatIsOldIsForgottenWithItsAttemptsAndItsRun() {
    RunRecord run = journal.openRun(Records.run("nightly", LATER));
    CallRecord call = call(run, Records.ok());
    journal.endRun(run.id(), RunState.DONE, "finished", NOW);

    assertThat(journal.purge(NOW)).isEqualTo(new Purged(0, 0));
    assertThat(journal.purge(LATER)).isEqualTo(new Purged(1, 1));
    assertThat(journal.call(call.id())).isEmpty();
    assertThat(journal.attemptsOf(call.id())).isEmpty();
    assertThat(journal.run(run.id())).isEmpty();
  }

  @Test
  void anUnknownCallAndItsRunAreNeverForgotten() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord unknown = call(run, Records.unknown());
    CallRecord ok = call(run, Records.ok());
    journal.endRun(run.id(), RunState.DONE, "finished", NOW);

    assertThat(journal.purge(LATER)).isEqualTo(new Purged(1, 0));
    assertThat(journal.call(ok.id())).isEmpty();
    assertThat(journal.attemptsOf(unknown.id())).hasSize(1);
    assertThat(journal.unknowns(10)).extracting(CallRecord::id).containsExactly(unknown.id());
    assertThat(journal.run(run.id())).isPresent();
  }

  @Test
  void aSettledCallIsKeptFromItsSettlingOn() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord landed = call(run, Records.unknown());
    CallRecord not = call(run, Records.unknown());
    journal.endRun(run.id(), RunState.DONE, "finished", NOW);
    // Both a minute after they ended.
    journal.settle(Records.settling(landed.id(), Ending.Status.OK));
    journal.settle(Records.settling(not.id(), Ending.Status.STOPPED));
    journal.settle(Records.settling(not.id(), Ending.Status.OK));
    journal.repeated(new RepeatRecord(landed.id(), NOW, RepeatRecord.Kind.TOLD, null, "a client"));

    assertThat(journal.purge(NOW.plusSeconds(60))).isEqualTo(new Purged(0, 0));
    assertThat(journal.purge(NOW.plusSeconds(61))).isEqualTo(new Purged(2, 1));
    assertThat(journal.repeatsOf(landed.id())).isEmpty();
    assertThat(journal.divergencesOf(not.id())).isEmpty();
  }

  @Test
  void theRetriesOfARunThatGoesOnAreNotForgotten() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord call = Records.call(run, Effect.READ);
    journal.openCall(call, null, SOON);
    journal.beginAttempt(call.id(), Records.attempt(1), SOON);
    journal.endAttempt(call.id(), 1, Records.ANSWERED, SOON);
    journal.beginAttempt(call.id(), Records.attempt(2), SOON);
    journal.endAttempt(call.id(), 2, Records.ANSWERED, SOON);
    journal.endCall(call.id(), Records.ok(), null, ON_DISK);

    assertThat(journal.purge(LATER)).isEqualTo(new Purged(0, 0));
    assertThat(journal.run(run.id()).orElseThrow().retriesUsed()).isEqualTo(1);
  }

  @Test
  void anOpenCallIsNotForgotten() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord open = Records.call(run, Effect.READ);
    journal.openCall(open, null, ON_DISK);
    journal.endRun(run.id(), RunState.CANCELLED, "the operator did", NOW);

    assertThat(journal.purge(LATER)).isEqualTo(new Purged(0, 0));
    assertThat(journal.call(open.id())).isPresent();
  }

  @Test
  void manyAreForgottenInSmallParts() {
    RunRecord run = journal.openRun(Records.run());
    int many = 450;
    for (int i = 0; i < many; i++) {
      CallRecord call = Records.call(run, Effect.READ);
      journal.openCall(call, null, SOON);
      journal.endCall(call.id(), Records.ok(), null, SOON);
    }
    journal.endRun(run.id(), RunState.DONE, "finished", NOW);

    assertThat(journal.purge(LATER)).isEqualTo(new Purged(many, 1));
  }
}
