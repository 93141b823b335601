package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.ANSWERED;
import static dev.callbound.journal.sqlite.Records.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.RepeatRecord.Kind;
import dev.callbound.journal.Replay;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatsTest {
  private static final Ending STOPPED =
      Ending.without(Status.STOPPED, Reason.Stopped.REFUSED, "403", 1, NOW);

  @TempDir Path folder;
  private Path file;
  private SqliteJournal journal;
  private RunRecord run;

  @BeforeEach
  void open() {
    file = folder.resolve("journal.db");
    journal = SqliteJournal.open(file, Records.CLOCK);
    run = journal.openRun(Records.run());
  }

  @AfterEach
  void close() {
    journal.close();
  }

  /** A call with the key "key". */
  private String call(Recognition recognition, @Nullable String step, @Nullable Ending ending) {
    CallRecord call = Records.keyed(run, recognition, step, "key");
    journal.openCall(call, null, SOON);
    if (ending != null) {
      journal.endCall(call.id(), ending, null, SOON);
    }
    return call.id();
  }

  private Optional<String> latest() {
    return journal.latestOfKey("key").map(CallRecord::id);
  }

  private Optional<String> latestOfStep(String step) {
    return journal.latestOfStep(run.id(), step, "tickets", "create").map(CallRecord::id);
  }

  @Test
  void theLatestCallOfAKeyIsFoundWhileItIsStillInTheQueue() {
    assertThat(latest()).isEmpty();
    for (int i = 0; i < 200; i++) {
      String open = call(Recognition.KEY, null, null);
      assertThat(latest()).contains(open);
      journal.endCall(open, Records.ok(), new Replay("{}", false), SOON);
      assertThat(journal.latestOfKey("key").orElseThrow().ending()).isEqualTo(Records.ok());
      assertThat(journal.replay(open)).contains(new Replay("{}", false));
    }
  }

  @Test
  void theLatestCallOfAStepIsFoundWhileItIsStillInTheQueue() {
    for (int i = 0; i < 200; i++) {
      String step = "step " + i;
      assertThat(latestOfStep(step)).isEmpty();
      String call = call(Recognition.NONE, step, null);
      assertThat(latestOfStep(step)).contains(call);
      journal.endCall(call, Records.ok(), null, SOON);
      CallRecord ended = journal.latestOfStep(run.id(), step, "tickets", "create").orElseThrow();
      assertThat(ended.ending()).isEqualTo(Records.ok());
    }
    assertThat(journal.latestOfStep(run.id(), "step 1", "tickets", "close")).isEmpty();
    assertThat(journal.latestOfStep(run.id(), "step 1", "wiki", "create")).isEmpty();
    assertThat(journal.latestOfStep("r_other", "step 1", "tickets", "create")).isEmpty();
  }

  @Test
  void aStoppedCallHidesNoEarlierOne() {
    String unknown = call(Recognition.NONE, null, Records.unknown());
    call(Recognition.NONE, null, STOPPED);
    assertThat(latest()).contains(unknown);

    String ok = call(Recognition.KEY, "one", Records.ok());
    call(Recognition.KEY, "one", STOPPED);
    assertThat(latest()).contains(ok);
    assertThat(latestOfStep("one")).contains(ok);
  }

  @Test
  void anOkCallCountsOnlyWhereARepeatOfItIsRecognised() {
    call(Recognition.NONE, null, Records.ok());
    assertThat(latest()).isEmpty();
    String step = call(Recognition.NONE, "one", Records.ok());
    assertThat(latest()).contains(step);
    String checked = call(Recognition.CHECK, null, Records.ok());
    assertThat(latest()).contains(checked);
  }

  @Test
  void anUnknownOfAKeyIsNotFoundAnyMoreOnceItIsKnownNotToHaveHappened() {
    String unknown = call(Recognition.NONE, null, Records.unknown());
    assertThat(latest()).contains(unknown);

    journal.settle(Records.settling(unknown, Status.STOPPED));

    assertThat(latest()).isEmpty();
  }

  @Test
  void aLookupTakesAnIndex() throws Exception {
    journal.openRun(Records.run());
    try (Sql sql = new Connections(file).reading()) {
      assertThat(plan(sql, RepeatSql.LATEST_OF_KEY)).contains("USING INDEX calls_by_key (key=?)");
      assertThat(plan(sql, RepeatSql.FIRST_SENT)).contains("USING INDEX calls_by_key (key=?)");
      assertThat(plan(sql, RepeatSql.LATEST_OF_STEP))
          .contains("USING INDEX calls_by_step (run=? AND step=?)");
    }
  }

  private static String plan(Sql sql, String query) throws Exception {
    return String.join(
        "; ", sql.list("EXPLAIN QUERY PLAN " + query, row -> row.getString("detail")));
  }

  @Test
  void aKeyWasFirstSentWithItsFirstAttemptThatMayHaveArrived() {
    assertThat(journal.firstSent("key")).isEmpty();
    String first = call(Recognition.KEY, null, null);
    attempt(first, 1, NOW.plusSeconds(1));
    journal.endAttempt(
        first, 1, Records.failed(new Failure.NotSent("refused"), Action.RETRY), ON_DISK);
    assertThat(journal.firstSent("key")).isEmpty();

    attempt(first, 2, NOW.plusSeconds(2));
    assertThat(journal.firstSent("key")).contains(NOW.plusSeconds(2));
    journal.endAttempt(first, 2, Records.failed(new Failure.Broken("reset"), Action.UNKNOWN), SOON);
    journal.endCall(first, Records.unknown(), null, ON_DISK);

    String second = call(Recognition.KEY, null, null);
    attempt(second, 1, NOW.plusSeconds(3));
    journal.endAttempt(second, 1, ANSWERED, SOON);
    journal.endCall(second, Records.ok(), null, ON_DISK);
    assertThat(journal.firstSent("key")).contains(NOW.plusSeconds(2));
  }

  private void attempt(String call, int number, Instant at) {
    journal.beginAttempt(
        call,
        new AttemptRecord(number, Duration.ofSeconds(30), Attempt.Limit.TOOL, at, null),
        ON_DISK);
  }

  @Test
  void whatIsKeptForARepeatIsReadBack() {
    String plain = call(Recognition.KEY, null, null);
    journal.endCall(plain, Records.ok(), new Replay("{\"id\":7}", false), SOON);
    String masked = call(Recognition.KEY, null, null);
    journal.endCall(masked, Records.ok(), new Replay("{\"token\":\"***\"}", true), ON_DISK);

    assertThat(journal.replay(plain)).contains(new Replay("{\"id\":7}", false));
    assertThat(journal.replay(masked)).contains(new Replay("{\"token\":\"***\"}", true));
    assertThat(journal.replay("c_none")).isEmpty();
    assertThat(journal.call(plain).orElseThrow().arguments()).isNull();
  }

  @Test
  void requestsThatMadeNoCallAreRecordedWithTheFirst() {
    String first = call(Recognition.NONE, "one", Records.ok());
    List<RepeatRecord> repeats = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      String step = kind == Kind.JOINED ? null : "one";
      repeats.add(new RepeatRecord(first, NOW.plusSeconds(repeats.size()), kind, step, "a client"));
    }

    repeats.forEach(journal::repeated);
    journal.repeated(new RepeatRecord("c_none", NOW, Kind.TOLD, null, "a client"));
    flush();

    assertThat(journal.repeatsOf(first)).isEqualTo(repeats);
    assertThat(journal.health().failing()).isNull();
    try (JournalReader reader = SqliteJournal.openReadOnly(file)) {
      assertThat(reader.repeatsOf(first)).isEqualTo(repeats);
    }
  }

  @Test
  void aClientThatNeverStopsAskingDoesNotFillTheDisk() {
    String first = call(Recognition.NONE, null, Records.unknown());

    IntStream.range(0, 1_100)
        .mapToObj(i -> new RepeatRecord(first, NOW.plusMillis(i), Kind.TOLD, null, "a client"))
        .forEach(journal::repeated);
    flush();

    assertThat(journal.repeatsOf(first)).hasSize(1_000);
  }

  /** What was handed in before is on disk when this returns. */
  private void flush() {
    journal.rememberTools("tickets", List.of("create"));
  }
}
