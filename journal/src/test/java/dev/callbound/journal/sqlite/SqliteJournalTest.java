package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.ANSWERED;
import static dev.callbound.journal.sqlite.Records.CLOCK;
import static dev.callbound.journal.sqlite.Records.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.ChildProcess;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Money;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteJournalTest {
  @TempDir Path folder;
  private SqliteJournal journal;

  @BeforeEach
  void open() {
    journal = SqliteJournal.open(folder.resolve("journal.db"), CLOCK);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private void reopen() {
    close();
    open();
  }

  @Test
  void whatIsWrittenIsReadBackWhole() {
    RunRecord run = journal.openRun(Records.run("nightly", NOW.plusSeconds(60)));
    CallRecord call =
        new CallRecord(
            Records.IDS.call(),
            run.id(),
            "step 1",
            "tickets",
            "create",
            Effect.WRITE,
            EffectSource.ANNOTATIONS,
            Recognition.KEY,
            "a key",
            Records.IDS.call(),
            "sha256:01",
            "{\"title\":\"é\"}",
            NOW,
            null,
            null);
    AttemptRecord begun =
        new AttemptRecord(1, Duration.ofMillis(1500), Attempt.Limit.RUN, NOW, null);
    AttemptEnd end =
        new AttemptEnd(
            Duration.ofNanos(1_234_567),
            FailureRecord.of(new Failure.NotSent("refused")),
            new Decision(Decision.Action.RETRY, Duration.ofMillis(300), "it never arrived"),
            new Evidence(3, Duration.ofMillis(70), 4, "exit code 1"));
    Ending ending =
        new Ending(
            Ending.Status.STOPPED,
            Reason.Stopped.NO_TIME_LEFT,
            "no time",
            1,
            NOW,
            "sha256:02",
            17,
            "{\"isError\":true}");
    journal.openCall(call, null, SOON);
    journal.beginAttempt(call.id(), begun, ON_DISK);
    journal.endAttempt(call.id(), 1, end, SOON);
    journal.endCall(call.id(), ending, null, ON_DISK);

    assertThat(journal.run(run.id())).contains(run);
    assertThat(journal.call(call.id())).contains(ended(call, ending));
    assertThat(journal.attemptsOf(call.id()))
        .containsExactly(
            new AttemptRecord(1, begun.timeout(), begun.limitedBy(), begun.startedAt(), end));
  }

  private static CallRecord ended(CallRecord call, Ending ending) {
    return new CallRecord(
        call.id(),
        call.run(),
        call.step(),
        call.server(),
        call.tool(),
        call.effect(),
        call.effectFrom(),
        call.recognition(),
        call.key(),
        call.follows(),
        call.argumentsDigest(),
        call.arguments(),
        call.startedAt(),
        ending,
        null);
  }

  @Test
  void aListOfCallsLeavesOutWhatMayBeLarge() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord call = Records.call(Records.IDS.call(), run.id(), Effect.READ, "{}");
    journal.openCall(call, null, ON_DISK);

    assertThat(journal.call(call.id())).contains(call);
    assertThat(journal.callsOf(run.id(), 10))
        .containsExactly(Records.call(call.id(), run.id(), Effect.READ, null));
  }

  @Test
  void aRunIsOpenedOncePerPrincipalAndName() {
    RunRecord first = journal.openRun(Records.run("nightly", NOW.plusSeconds(60)));
    RunRecord again = journal.openRun(Records.run("nightly", NOW.plusSeconds(3600)));
    RunRecord other =
        journal.openRun(
            RunRecord.running(Records.IDS.run(), "nightly", "somebody else", "c", NOW, NOW, 0));

    assertThat(again).isEqualTo(first);
    assertThat(other.id()).isNotEqualTo(first.id());
    assertThat(journal.runNamed("local", "nightly")).contains(first);
    assertThat(journal.runNamed("nobody", "nightly")).isEmpty();
  }

  @Test
  void aRunThatHasEndedIsFoundAsItEnded() {
    RunRecord run = journal.openRun(Records.run("nightly", NOW.plusSeconds(60)));
    RunRecord ended = journal.endRun(run.id(), RunState.CANCELLED, "the operator did", NOW);
    RunRecord endedAgain = journal.endRun(run.id(), RunState.DONE, "finished", NOW.plusSeconds(1));

    assertThat(ended.state()).isEqualTo(RunState.CANCELLED);
    assertThat(endedAgain).isEqualTo(ended);
    assertThat(journal.openRun(Records.run("nightly", NOW))).isEqualTo(ended);
  }

  @Test
  void runsAreListedNewestFirstByState() {
    RunRecord a = journal.openRun(Records.run());
    RunRecord b = journal.openRun(Records.run());
    RunRecord c = journal.openRun(Records.run());
    RunRecord endedB = journal.endRun(b.id(), RunState.DONE, "finished", NOW);

    assertThat(journal.runs(EnumSet.allOf(RunState.class), 10)).containsExactly(c, endedB, a);
    assertThat(journal.runs(EnumSet.allOf(RunState.class), 2)).containsExactly(c, endedB);
    assertThat(journal.runs(Set.of(RunState.RUNNING), 10)).containsExactly(c, a);
    assertThat(journal.runs(Set.of(), 10)).isEmpty();
  }

  @Test
  void retriesAreCountedFromTheAttemptsAndSurviveARestart() {
    RunRecord run = journal.openRun(Records.run("nightly", NOW.plusSeconds(60)));
    for (int i = 0; i < 3; i++) {
      CallRecord call = Records.call(run, Effect.READ);
      journal.openCall(call, null, SOON);
      for (int number = 1; number <= 3; number++) {
        journal.beginAttempt(call.id(), Records.attempt(number), SOON);
        journal.endAttempt(call.id(), number, ANSWERED, ON_DISK);
      }
    }
    reopen();

    RunRecord found = journal.openRun(Records.run("nightly", NOW));
    assertThat(found.retriesUsed()).isEqualTo(6);
    assertThat(found.deadline()).isEqualTo(run.deadline());
    assertThat(found.state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void whatIsSpentIsSummedFromTheAttemptsAndSurvivesARestart() {
    Money limit = Money.parse("1.50");
    RunRecord run =
        journal.openRun(
            RunRecord.running(
                Records.IDS.run(), "dear", "local", "c", NOW, NOW.plusSeconds(60), 5, limit));
    Money price = Money.parse("0.25");
    CallRecord call = Records.call(run, Effect.WRITE);
    journal.openCall(call, null, SOON);
    journal.beginAttempt(call.id(), Records.attempt(1, price), SOON);
    journal.endAttempt(
        call.id(),
        1,
        Records.failed(new Failure.NotSent("connection refused"), Decision.Action.RETRY),
        SOON);
    journal.beginAttempt(call.id(), Records.attempt(2, price), SOON);
    journal.endAttempt(
        call.id(),
        2,
        Records.failed(new Failure.Broken("connection reset"), Decision.Action.RETRY),
        SOON);
    journal.beginAttempt(call.id(), Records.attempt(3, price), ON_DISK);
    reopen();

    RunRecord found = journal.run(run.id()).orElseThrow();
    assertThat(found.spendLimit()).isEqualTo(limit);
    assertThat(found.spent()).isEqualTo(Money.parse("0.50"));
    assertThat(journal.attemptsOf(call.id()))
        .extracting(AttemptRecord::cost)
        .containsExactly(Money.ZERO, price, price);
  }

  @Test
  void aLowerLimitHoldsForTheRunsThatAreRunning() {
    RunRecord ended = journal.openRun(Records.run());
    journal.endRun(ended.id(), RunState.DONE, "finished", NOW);
    RunRecord open = journal.openRun(Records.run());
    RunRecord dear =
        journal.openRun(
            RunRecord.running(
                Records.IDS.run(), null, "local", "c", NOW, NOW, 5, Money.parse("2")));
    RunRecord cheap =
        journal.openRun(
            RunRecord.running(
                Records.IDS.run(), null, "local", "c", NOW, NOW, 5, Money.parse("0.50")));

    journal.limitSpend(Money.parse("1"));

    assertThat(Stream.of(ended, open, dear, cheap).map(run -> journal.run(run.id()).orElseThrow()))
        .extracting(RunRecord::spendLimit)
        .containsExactly(null, Money.parse("1"), Money.parse("1"), Money.parse("0.50"));
  }

  @Test
  void aRunWithAnUnknownCallEndsUnknown() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord call = Records.call(run, Effect.WRITE);
    journal.openCall(call, null, SOON);
    journal.endCall(call.id(), Records.unknown(), null, SOON);

    assertThat(journal.endRun(run.id(), RunState.DONE, "finished", NOW).state())
        .isEqualTo(RunState.UNKNOWN);
  }

  @Test
  void aCallThatEndsUnknownAfterItsRunMakesTheRunUnknown() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord call = Records.call(run, Effect.WRITE);
    journal.openCall(call, null, SOON);
    RunRecord ended = journal.endRun(run.id(), RunState.CANCELLED, "the operator did", NOW);
    journal.endCall(call.id(), Records.unknown(), null, ON_DISK);

    RunRecord now = journal.run(run.id()).orElseThrow();
    assertThat(ended.state()).isEqualTo(RunState.CANCELLED);
    assertThat(now.state()).isEqualTo(RunState.UNKNOWN);
    assertThat(now.endedBecause()).isEqualTo("the operator did");
    assertThat(journal.unknowns(10)).extracting(CallRecord::id).containsExactly(call.id());
  }

  @Test
  void outcomesAreCounted() {
    RunRecord run = journal.openRun(Records.run());
    List<CallRecord> calls = List.of(call(run), call(run), call(run), call(run));
    Ending stopped = Ending.without(Ending.Status.STOPPED, Reason.Stopped.REFUSED, "403", 1, NOW);
    journal.endCall(calls.get(0).id(), Records.ok(), null, ON_DISK);
    journal.endCall(calls.get(1).id(), stopped, null, ON_DISK);
    journal.endCall(calls.get(2).id(), Records.unknown(), null, ON_DISK);

    assertThat(journal.outcomes(run.id())).isEqualTo(new OutcomeCounts(1, 1, 1, 1));
    assertThat(journal.outcomes("r_nothing")).isEqualTo(OutcomeCounts.NONE);
    assertThat(journal.callsOf(run.id(), 2))
        .extracting(CallRecord::id)
        .containsExactly(calls.get(2).id(), calls.get(3).id());
  }

  private CallRecord call(RunRecord run) {
    CallRecord call = Records.call(run, Effect.WRITE);
    journal.openCall(call, null, ON_DISK);
    return call;
  }

  @Test
  void idsAreFoundByTheirBeginning() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord call = call(run);

    assertThat(journal.idsBeginning(run.id().substring(0, 20), 10)).containsExactly(run.id());
    assertThat(journal.idsBeginning(call.id(), 10)).containsExactly(call.id());
    assertThat(journal.idsBeginning("c_zzzz", 10)).isEmpty();
    assertThatThrownBy(() -> journal.idsBeginning("c_01", 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("at least 6 characters of an id are needed: c_01");
  }

  @Test
  void recordsOutOfOrderAreRefusedAndLeaveTheOthersAlone() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord call = call(run);

    assertInconsistent(() -> journal.openCall(call, null, ON_DISK));
    assertInconsistent(
        () -> journal.openCall(Records.call(Records.run(), Effect.READ), null, ON_DISK));
    assertInconsistent(() -> journal.endAttempt(call.id(), 1, ANSWERED, ON_DISK));
    assertInconsistent(() -> journal.beginAttempt("c_none", Records.attempt(1), ON_DISK));
    journal.endCall(call.id(), Records.ok(), null, ON_DISK);
    assertInconsistent(() -> journal.endCall(call.id(), Records.ok(), null, ON_DISK));
    assertInconsistent(() -> journal.beginAttempt(call.id(), Records.attempt(1), ON_DISK));
    assertInconsistent(() -> journal.endRun("r_none", RunState.DONE, "finished", NOW));
    assertThat(journal.health().failing()).isNull();
  }

  private static void assertInconsistent(Runnable write) {
    assertThatThrownBy(write::run)
        .isInstanceOfSatisfying(
            JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INCONSISTENT));
  }

  @Test
  void aCallThatLostARecordTakesNoMoreUntilItsLast() {
    RunRecord run = journal.openRun(Records.run());
    CallRecord broken = call(run);
    CallRecord sound = call(run);
    journal.beginAttempt(broken.id(), Records.attempt(1), ON_DISK);
    // Does not fit, and nobody waits for it: lost.
    journal.beginAttempt(broken.id(), Records.attempt(1), SOON);

    assertInconsistent(() -> journal.endAttempt(broken.id(), 1, ANSWERED, ON_DISK));
    assertThat(journal.health().lost()).isEqualTo(1);
    assertThat(journal.health().failing()).contains("UNIQUE");
    assertInconsistent(() -> journal.endCall(broken.id(), Records.ok(), null, ON_DISK));
    journal.endCall(sound.id(), Records.ok(), null, ON_DISK);
    assertThat(journal.outcomes(run.id())).isEqualTo(new OutcomeCounts(1, 0, 0, 1));
    assertThat(journal.health().failing()).isNull();
  }

  @Test
  void aPersonCanReadWhatIsUnknownWithTheToolsOfSqlite() throws Exception {
    RunRecord run = journal.openRun(Records.run("nightly", NOW.plusSeconds(60)));
    journal.endCall(call(run).id(), Records.ok(), null, SOON);
    journal.endCall(call(run).id(), Records.unknown(), null, ON_DISK);

    String url = "jdbc:sqlite:" + folder.resolve("journal.db");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM unknowns")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString("ended_at_utc")).isEqualTo("2026-12-01 12:00:00");
      assertThat(rows.getString("tool")).isEqualTo("create");
      assertThat(rows.getString("reason")).isEqualTo("timed_out");
      assertThat(rows.getString("run_name")).isEqualTo("nightly");
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void toolsSeenAreKept() {
    journal.rememberTools("tickets", List.of("create", "close"));
    journal.rememberTools("tickets", List.of("create", "list"));
    journal.rememberTools("mail", List.of("send"));
    reopen();

    assertThat(journal.toolsSeen())
        .isEqualTo(Map.of("tickets", Set.of("create", "close", "list"), "mail", Set.of("send")));
  }

  @Test
  void processesLeftAreTheOnesNotSeenToEnd() {
    ChildProcess ended = new ChildProcess(41, NOW, "mail");
    ChildProcess left = new ChildProcess(42, NOW, "tickets");
    journal.processStarted(ended);
    journal.processStarted(new ChildProcess(42, NOW.minusSeconds(9), "an earlier one"));
    journal.processStarted(left);
    journal.processEnded(41);
    reopen();

    assertThat(journal.processesLeft()).containsExactly(left);
  }

  @Test
  void aClosedJournalSaysSo() {
    journal.close();

    assertThatThrownBy(() -> journal.openRun(Records.run()))
        .isInstanceOfSatisfying(
            JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
    assertThatThrownBy(() -> journal.run("r_1"))
        .isInstanceOfSatisfying(
            JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
  }
}
