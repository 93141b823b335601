package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.NOW;
import static dev.callbound.journal.sqlite.Records.settling;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.Replay;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import dev.callbound.journal.Settling;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SettleTest {
  @TempDir Path folder;
  private Path file;
  private SqliteJournal journal;

  @BeforeEach
  void open() {
    file = folder.resolve("journal.db");
    journal = SqliteJournal.open(file, Records.CLOCK);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private String call(RunRecord run, Ending ending) {
    CallRecord call = Records.keyed(run, Recognition.CHECK, null, "key");
    journal.openCall(call, "{\"title\":\"x\"}", SOON);
    journal.beginAttempt(call.id(), Records.attempt(1), SOON);
    journal.endAttempt(call.id(), 1, Records.ANSWERED, SOON);
    journal.endCall(call.id(), ending, null, ON_DISK);
    return call.id();
  }

  private String unknownCall() {
    return call(journal.openRun(Records.run()), Records.unknown());
  }

  private static Ending unknown(Reason.Unknown reason) {
    return Ending.without(Status.UNKNOWN, reason, "who knows", 1, NOW);
  }

  private CallRecord found(String call) {
    return journal.call(call).orElseThrow();
  }

  private Ending ending(String call) {
    return requireNonNull(found(call).ending());
  }

  @Test
  void anUnknownThatLandedIsOkAndTellsHowThatIsKnown() {
    String call = unknownCall();

    assertThat(journal.settle(settling(call, Status.OK))).isEqualTo(SettleResult.SETTLED);

    assertThat(ending(call)).isEqualTo(Ending.without(Status.OK, null, "looked it up", 1, NOW));
    assertThat(found(call).settled())
        .isEqualTo(
            new Settlement(
                NOW.plusSeconds(60),
                SettledBy.PERSON,
                "ana",
                "see #12",
                Reason.Unknown.TIMED_OUT,
                "no answer within 30 s"));
    assertThat(journal.unknowns(10)).isEmpty();
    assertThat(journal.unsettledCheckable(10)).isEmpty();
  }

  @ParameterizedTest(name = "{0} becomes {1}")
  @CsvSource({
    "TIMED_OUT, DEADLINE_EXCEEDED",
    "CONNECTION_LOST, RETRIES_EXHAUSTED",
    "SERVER_ERROR, RETRIES_EXHAUSTED",
    "GARBLED_ANSWER, RETRIES_EXHAUSTED",
    "RESPONSE_TOO_LARGE, RESPONSE_TOO_LARGE",
    "WORKER_DIED, RETRIES_EXHAUSTED",
    "CANCELLED_IN_FLIGHT, CANCELLED",
    "CHECK_FAILED, RETRIES_EXHAUSTED"
  })
  void anUnknownThatDidNotLandIsStoppedForWhatHadCausedTheDoubt(
      Reason.Unknown doubt, Reason.Stopped reason) {
    String call = call(journal.openRun(Records.run()), unknown(doubt));

    assertThat(journal.settle(settling(call, Status.STOPPED))).isEqualTo(SettleResult.SETTLED);

    assertThat(ending(call).status()).isEqualTo(Status.STOPPED);
    assertThat(ending(call).reason()).isEqualTo(reason);
    assertThat(requireNonNull(found(call).settled()).was()).isEqualTo(doubt);
  }

  @Test
  void aLateAnswerBringsItsResult() {
    String call = unknownCall();
    Settling late =
        new Settling(
            call,
            Status.OK,
            null,
            "answered after 41 s",
            SettledBy.LATE_ANSWER,
            "tickets",
            null,
            NOW.plusSeconds(41),
            new Replay("{\"id\":7}", false),
            "sha256:07",
            8,
            "{\"id\":7}");

    assertThat(journal.settle(late)).isEqualTo(SettleResult.SETTLED);

    assertThat(ending(call))
        .isEqualTo(
            new Ending(
                Status.OK, null, "answered after 41 s", 1, NOW, "sha256:07", 8, "{\"id\":7}"));
    assertThat(journal.replay(call)).contains(new Replay("{\"id\":7}", false));
  }

  @Test
  void aResultThatComesAfterAPersonHadSettledTheSameIsKept() {
    String call = unknownCall();
    journal.settle(settling(call, Status.OK));

    assertThat(journal.settle(late(call, "{\"id\":7}"))).isEqualTo(SettleResult.ALREADY);
    assertThat(journal.settle(late(call, "{\"id\":8}"))).isEqualTo(SettleResult.ALREADY);

    assertThat(journal.replay(call)).contains(new Replay("{\"id\":7}", false));
    assertThat(ending(call).resultBytes()).isEqualTo(8);
    assertThat(requireNonNull(found(call).settled()).by()).isEqualTo(SettledBy.PERSON);
    assertThat(journal.divergencesOf(call)).isEmpty();
  }

  private static Settling late(String call, String result) {
    return new Settling(
        call,
        Status.OK,
        null,
        "answered",
        SettledBy.LATE_ANSWER,
        "tickets",
        null,
        NOW.plusSeconds(70),
        new Replay(result, false),
        "sha256:" + result.hashCode(),
        result.length(),
        null);
  }

  @Test
  void whatContradictsASettlementIsRecordedAndChangesNothing() {
    String call = unknownCall();
    journal.settle(settling(call, Status.STOPPED));
    CallRecord before = found(call);

    assertThat(journal.settle(late(call, "{}"))).isEqualTo(SettleResult.DIVERGENT);

    assertThat(found(call)).isEqualTo(before);
    assertThat(journal.replay(call)).isEmpty();
    assertThat(journal.divergencesOf(call))
        .containsExactly(
            new Divergence(
                NOW.plusSeconds(70),
                Status.OK,
                null,
                "answered",
                SettledBy.LATE_ANSWER,
                "tickets",
                null,
                "sha256:" + "{}".hashCode(),
                2));
  }

  /** Two calls that each ask about the one before, in runs of their own, and one that does not. */
  private List<String> chain() {
    List<String> chain = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RunRecord run = journal.openRun(Records.run());
      String before = i == 0 || i == 3 ? null : chain.getLast();
      CallRecord call = Records.following(run, Recognition.KEY, null, "key", before);
      journal.openCall(call, "{}", SOON);
      journal.endCall(call.id(), Records.unknown(), null, ON_DISK);
      journal.endRun(run.id(), RunState.DONE, "finished", NOW);
      chain.add(call.id());
    }
    return chain;
  }

  @ParameterizedTest(name = "{0} by {1}, the {2}. of the chain: {3}")
  @CsvSource({
    "OK, PERSON, 0, true",
    "OK, PERSON, 1, true",
    "OK, REPEAT, 0, true",
    "OK, LATE_ANSWER, 2, true",
    "STOPPED, PERSON, 2, true",
    "STOPPED, CHECK, 2, true",
    "STOPPED, MODEL, 1, true",
    // The tool may have done the other request of the same key.
    "STOPPED, LATE_ANSWER, 0, false",
    // It may have been asked too soon after the later attempts.
    "STOPPED, CHECK, 0, false",
    "STOPPED, REPEAT, 0, false"
  })
  void callsThatMeantTheSameAreSettledTogether(
      Status to, SettledBy by, int which, boolean together) {
    List<String> chain = chain();
    String call = chain.get(which);

    journal.settle(Settling.without(call, to, "so it is", by, "ana", null, NOW));

    for (String each : chain.subList(0, 3)) {
      boolean known = together || each.equals(call);
      assertThat(ending(each).status()).isEqualTo(known ? to : Status.UNKNOWN);
      assertThat(journal.resend(each).isEmpty()).isEqualTo(known);
      assertThat(journal.run(found(each).run()).orElseThrow().state())
          .isEqualTo(known ? RunState.DONE : RunState.UNKNOWN);
    }
    // Of the same key, but a call in its own right.
    assertThat(ending(chain.getLast()).status()).isEqualTo(Status.UNKNOWN);
  }

  @Test
  void aCheckThatFoundNothingSettlesAFollowingCallThatSentNothing() {
    RunRecord run = journal.openRun(Records.run());
    String first = call(run, Records.unknown());
    CallRecord asking = Records.following(run, Recognition.CHECK, null, "key", first);
    journal.openCall(asking, "{}", SOON);
    Ending unclear =
        Ending.without(Status.UNKNOWN, Reason.Unknown.CHECK_FAILED, "status 502", 0, NOW);
    journal.endCall(asking.id(), unclear, null, SOON);

    journal.settle(
        Settling.without(first, Status.STOPPED, "not there", SettledBy.CHECK, "list", null, NOW));

    assertThat(ending(asking.id()).status()).isEqualTo(Status.STOPPED);
  }

  @Test
  void onlyAnUnknownIsSettled() {
    RunRecord run = journal.openRun(Records.run());
    String ok = call(run, Records.ok());
    CallRecord open = Records.call(run, Effect.WRITE);
    journal.openCall(open, null, SOON);

    assertThat(journal.settle(settling(ok, Status.OK))).isEqualTo(SettleResult.NOT_UNKNOWN);
    assertThat(journal.settle(settling(ok, Status.STOPPED))).isEqualTo(SettleResult.NOT_UNKNOWN);
    assertThat(journal.settle(settling(open.id(), Status.OK))).isEqualTo(SettleResult.OPEN);
    assertThat(journal.settle(settling("c_none", Status.OK))).isEqualTo(SettleResult.NO_SUCH_CALL);
    assertThat(found(ok).settled()).isNull();
    assertThat(journal.divergencesOf(ok)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = RunState.class,
      names = {"DONE", "STOPPED", "CANCELLED", "EXPIRED"})
  void aRunThatEndedUnknownBecomesWhatItWouldHaveBeenWithItsLastUnknown(RunState state) {
    RunRecord run = journal.openRun(Records.run());
    String first = call(run, Records.unknown());
    assertThat(journal.endRun(run.id(), state, "because", NOW).state()).isEqualTo(RunState.UNKNOWN);
    // Its end came after that of its run.
    String second = call(run, Records.unknown());

    journal.settle(settling(first, Status.OK));
    assertThat(journal.run(run.id()).orElseThrow().state()).isEqualTo(RunState.UNKNOWN);
    journal.settle(settling(second, Status.STOPPED));
    RunRecord settled = journal.run(run.id()).orElseThrow();
    assertThat(settled.state()).isEqualTo(state);
    assertThat(settled.endedBecause()).isEqualTo("because");
    assertThat(settled.endedAt()).isEqualTo(NOW);

    call(run, Records.unknown());
    assertThat(journal.run(run.id()).orElseThrow().state()).isEqualTo(RunState.UNKNOWN);
  }

  @Test
  void aRunThatGoesOnIsLeftAlone() {
    RunRecord run = journal.openRun(Records.run());

    journal.settle(settling(call(run, Records.unknown()), Status.OK));

    assertThat(journal.run(run.id())).contains(run);
    assertThat(journal.endRun(run.id(), RunState.DONE, "finished", NOW).state())
        .isEqualTo(RunState.DONE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"OK", "STOPPED"})
  void argumentsAreKeptForSendingAgainUntilTheCallIsSettled(Status to) {
    RunRecord run = journal.openRun(Records.run());
    String ended = call(run, Records.ok());
    String unknown = call(run, Records.unknown());

    assertThat(journal.resend(ended)).isEmpty();
    assertThat(journal.resend(unknown)).contains("{\"title\":\"x\"}");
    assertThat(journal.unsettledCheckable(10)).extracting(CallRecord::id).containsExactly(unknown);
    journal.settle(settling(unknown, to));
    assertThat(journal.resend(unknown)).isEmpty();
  }

  @Test
  void aSecondConnectionSettlesWhileTheJournalIsOpen() {
    String call = unknownCall();

    assertThat(SqliteJournal.settleBeside(file, settling(call, Status.OK)))
        .isEqualTo(SettleResult.SETTLED);

    assertThat(journal.settle(late(call, "{}"))).isEqualTo(SettleResult.ALREADY);
    assertThat(requireNonNull(found(call).settled()).by()).isEqualTo(SettledBy.PERSON);
    try (JournalReader reader = SqliteJournal.openReadOnly(file)) {
      assertThat(reader.call(call)).contains(found(call));
    }
  }

  @Test
  void ofManyWhoSettleAtOnceOneIsBelieved() throws Exception {
    int calls = 20;
    int settlers = 8;
    for (int i = 0; i < calls; i++) {
      String call = unknownCall();
      Map<SettleResult, Integer> results = settleAtOnce(call, settlers);
      Status truth = ending(call).status();
      int same = settlers / 2 - 1;
      assertThat(results)
          .as("settled to " + truth)
          .isEqualTo(
              Map.of(
                  SettleResult.SETTLED,
                  1,
                  SettleResult.ALREADY,
                  same,
                  SettleResult.DIVERGENT,
                  settlers / 2));
      assertThat(journal.divergencesOf(call))
          .hasSize(settlers / 2)
          .extracting(Divergence::status)
          .doesNotContain(truth);
    }
  }

  /** Half of them each way, and of these half from a connection of their own. */
  private Map<SettleResult, Integer> settleAtOnce(String call, int settlers) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<SettleResult>> all = new ArrayList<>();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < settlers; i++) {
        Settling settling = settling(call, i % 2 == 0 ? Status.OK : Status.STOPPED);
        boolean beside = i % 4 < 2;
        all.add(
            pool.submit(
                () -> {
                  start.await();
                  return beside
                      ? SqliteJournal.settleBeside(file, settling)
                      : journal.settle(settling);
                }));
      }
      start.countDown();
    }
    Map<SettleResult, Integer> results = new EnumMap<>(SettleResult.class);
    for (Future<SettleResult> each : all) {
      results.merge(each.get(), 1, Integer::sum);
    }
    return results;
  }

  @Test
  void anotherProcessSettlesWhileThisOneWrites() throws Exception {
    List<String> calls = Collections.nCopies(30, 0).stream().map(_ -> unknownCall()).toList();
    Process other =
        ChildJvm.start(
            SettlingProcess.class,
            Stream.concat(Stream.of(file.toString()), calls.stream()).toArray(String[]::new));
    List<String> told = new ArrayList<>();
    Map<String, SettleResult> here = new HashMap<>();
    try (var output = other.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        told.add(line);
        if (told.size() == 1) {
          // It has begun: from the other end, so that they meet.
          for (String call : calls.reversed()) {
            here.put(call, journal.settle(settling(call, Status.STOPPED)));
          }
        }
      }
    }
    assertThat(other.waitFor()).isZero();
    assertThat(told).hasSize(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      String call = calls.get(i);
      boolean wasOthers = told.get(i).equals("SETTLED");
      assertThat(told.get(i)).as(call).isIn("SETTLED", "DIVERGENT");
      assertThat(here.get(call))
          .as(call)
          .isEqualTo(wasOthers ? SettleResult.DIVERGENT : SettleResult.SETTLED);
      assertThat(ending(call).status()).as(call).isEqualTo(wasOthers ? Status.OK : Status.STOPPED);
    }
    assertThat(journal.health().failing()).isNull();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void theViewForPeopleNoLongerShowsWhatIsSettled(Durability durability) throws Exception {
    RunRecord run = journal.openRun(Records.run());
    CallRecord call = Records.call(run, Effect.WRITE);
    journal.openCall(call, null, SOON);
    journal.endCall(call.id(), Records.unknown(), null, durability);
    String other = unknownCall();

    journal.settle(settling(call.id(), Status.OK));

    try (Sql sql = new Connections(file).reading()) {
      assertThat(sql.list("SELECT call FROM unknowns", row -> row.getString(1)))
          .containsExactly(other);
    }
  }
}
