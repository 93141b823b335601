package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;
import static dev.callbound.journal.sqlite.Records.ANSWERED;
import static dev.callbound.journal.sqlite.Records.NOW;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Interrupted;
import dev.callbound.journal.Recovery;
import dev.callbound.journal.Replay;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes of a dead process whose repeat is recognised: which of them can go on, and with what. */
class ResumeTest {
  private static final Instant LATER = NOW.plus(Duration.ofMinutes(5));

  @TempDir Path folder;

  private SqliteJournal open(Instant now) {
    return SqliteJournal.open(folder.resolve("journal.db"), InstantSource.fixed(now));
  }

  /** An attempt that has begun: how it ended, or that it had not. */
  record Begun(@Nullable AttemptEnd end) {}

  private static final Begun OPEN = new Begun(null);

  private static Begun ended(Failure failure, Action action) {
    return new Begun(Records.failed(failure, action));
  }

  private static final Begun NOT_SENT = ended(new Failure.NotSent("refused"), Action.RETRY);
  private static final Begun BROKEN = ended(new Failure.Broken("reset"), Action.RETRY);
  private static final Begun LIMITED =
      ended(new Failure.Limited(Duration.ofSeconds(1), "status 429"), Action.RETRY);

  static Stream<Arguments> resumed() {
    Reason.Unknown lost = Reason.Unknown.CONNECTION_LOST;
    return Stream.of(
        // recognition, attempts; amid an attempt, doubt, waited as told
        arguments(Recognition.KEY, List.of(OPEN), true, null, false),
        arguments(Recognition.KEY, List.of(NOT_SENT), false, null, false),
        arguments(Recognition.KEY, List.of(BROKEN), false, lost, false),
        arguments(Recognition.KEY, List.of(BROKEN, OPEN), true, lost, false),
        arguments(Recognition.KEY, List.of(BROKEN, LIMITED, OPEN), true, lost, true),
        arguments(Recognition.KEY, List.of(LIMITED), false, null, true),
        arguments(Recognition.CHECK, List.of(OPEN), true, null, false),
        // It goes on because a check has found that the effect is not there.
        arguments(Recognition.CHECK, List.of(BROKEN), false, null, false),
        arguments(Recognition.CHECK, List.of(BROKEN, OPEN), true, null, false));
  }

  @ParameterizedTest(name = "{0} with {1}")
  @MethodSource("resumed")
  void aWriteThatWouldHaveGoneOnIsLeftOpenToBeResumed(
      Recognition recognition,
      List<Begun> attempts,
      boolean amidAttempt,
      Reason.@Nullable Unknown doubt,
      boolean waitedAsTold) {
    CallRecord call = dyingWith(recognition, null, "{}", attempts);

    try (SqliteJournal journal = open(LATER)) {
      assertThat(journal.recovery().toResume()).hasSize(1);
      assertThat(journal.recovery().calls()).isEqualTo(1);
      Interrupted interrupted = journal.recovery().toResume().getFirst();
      assertThat(interrupted.call()).isEqualTo(call);
      assertThat(interrupted.resend()).isEqualTo("{}");
      assertThat(interrupted.attempts()).isEqualTo(journal.attemptsOf(call.id()));
      assertThat(interrupted.attempts()).hasSize(attempts.size());
      assertThat(interrupted.amidAttempt()).isEqualTo(amidAttempt);
      assertThat(interrupted.doubt()).isEqualTo(doubt);
      assertThat(interrupted.waitedAsTold()).isEqualTo(waitedAsTold);
      assertThat(journal.call(call.id())).contains(call);
    }
    // Whoever opened it died, too, before it got to it.
    try (SqliteJournal journal = open(LATER)) {
      assertThat(journal.recovery().toResume()).hasSize(1);
    }
  }

  @Test
  void aResumedCallGoesOnInTheJournal() {
    CallRecord call = dyingWith(Recognition.KEY, null, "{}", List.of(OPEN));
    AttemptEnd died =
        new AttemptEnd(
            null,
            FailureRecord.of(new Failure.WorkerDied()),
            new Decision(Action.RETRY, Duration.ZERO, "the tool recognises a repeat by its key"),
            Evidence.NONE);

    try (SqliteJournal journal = open(LATER)) {
      journal.endAttempt(call.id(), 1, died, SOON);
      journal.beginAttempt(call.id(), Records.attempt(2), ON_DISK);
      journal.endAttempt(call.id(), 2, ANSWERED, SOON);
      journal.endCall(call.id(), Records.ok(), new Replay("{}", false), ON_DISK);

      assertThat(journal.attemptsOf(call.id()))
          .extracting(AttemptRecord::end)
          .containsExactly(died, ANSWERED);
      assertThat(journal.resend(call.id())).isEmpty();
    }
  }

  static Stream<Arguments> notResumed() {
    Begun answered = new Begun(ANSWERED);
    Begun checked = ended(new Failure.Broken("reset"), Action.OK);
    Begun over = ended(new Failure.Broken("reset"), Action.UNKNOWN);
    Begun refused = ended(new Failure.Refused(403, "HTTP 403"), Action.STOP);
    return Stream.of(
        arguments(Recognition.KEY, "{}", List.of(), Status.STOPPED, "nothing had been sent"),
        arguments(Recognition.KEY, "{}", List.of(answered), Status.OK, "the tool answered"),
        arguments(Recognition.CHECK, "{}", List.of(checked), Status.OK, "the tool answered"),
        arguments(Recognition.KEY, "{}", List.of(over), Status.UNKNOWN, "reset"),
        arguments(Recognition.KEY, "{}", List.of(refused), Status.STOPPED, "403"),
        arguments(Recognition.KEY, "{}", List.of(BROKEN, refused), Status.UNKNOWN, "403"),
        arguments(Recognition.CHECK, "{}", List.of(BROKEN, refused), Status.STOPPED, "403"),
        arguments(Recognition.NONE, "{}", List.of(OPEN), Status.UNKNOWN, "was at it"),
        arguments(Recognition.KEY, null, List.of(OPEN), Status.UNKNOWN, "could not be taken up"),
        arguments(Recognition.KEY, null, List.of(BROKEN), Status.UNKNOWN, "were not kept"),
        arguments(Recognition.KEY, null, List.of(NOT_SENT), Status.STOPPED, "refused"),
        arguments(Recognition.CHECK, null, List.of(BROKEN), Status.STOPPED, "reset"));
  }

  @ParameterizedTest(name = "{0}, arguments {1}, with {2} ends {3}")
  @MethodSource("notResumed")
  void aWriteThatCanNotGoOnEndsAsItsAttemptsTell(
      Recognition recognition,
      @Nullable String resend,
      List<Begun> attempts,
      Status status,
      String detail) {
    CallRecord call = dyingWith(recognition, null, resend, attempts);

    try (SqliteJournal journal = open(LATER)) {
      assertThat(journal.recovery().toResume()).isEmpty();
      Ending ending = requireNonNull(journal.call(call.id()).orElseThrow().ending());
      assertThat(ending.status()).isEqualTo(status);
      assertThat(ending.detail()).contains("the process died").contains(detail);
    }
  }

  @Test
  void aWriteOfARunThatIsOverIsNotResumed() {
    CallRecord call = dyingWith(Recognition.KEY, null, "{}", List.of(OPEN));

    try (SqliteJournal journal = open(NOW.plus(Duration.ofHours(2)))) {
      assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 1, List.of(), 1));
      assertThat(journal.resend(call.id())).contains("{}");
    }
    CallRecord other = dyingWith(Recognition.KEY, null, "{}", List.of(OPEN), RunState.CANCELLED);
    try (SqliteJournal journal = open(LATER)) {
      assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 1, List.of(), 0));
      assertThat(journal.unknowns(1)).extracting(CallRecord::id).containsExactly(other.id());
    }
  }

  @Test
  void aFollowingCallThatSentNothingIsInTheDoubtOfTheFirst() {
    CallRecord first = dyingWith(Recognition.CHECK, null, "{}", List.of());
    try (SqliteJournal dying = open(NOW)) {
      assertThat(dying.recovery().stopped()).isEqualTo(1);
      first = dyingIn(dying, Recognition.CHECK, null, "{}", List.of(OPEN));
      dying.endCall(first.id(), Records.unknown(), null, ON_DISK);
    }
    CallRecord second = dyingWith(Recognition.CHECK, first.id(), "{}", List.of());

    try (SqliteJournal journal = open(LATER)) {
      assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 1, List.of(), 0));
      assertThat(journal.call(second.id()).orElseThrow().ending())
          .isEqualTo(
              Ending.without(
                  Status.UNKNOWN,
                  Reason.Unknown.TIMED_OUT,
                  "the process died before it could learn what became of the earlier call",
                  0,
                  LATER));
      assertThat(journal.latestOfKey("key")).contains(journal.call(second.id()).orElseThrow());
      journal.settle(Records.settling(first.id(), Status.STOPPED));
    }
    CallRecord third = dyingWith(Recognition.CHECK, first.id(), "{}", List.of());
    try (SqliteJournal journal = open(LATER)) {
      Ending ending = requireNonNull(journal.call(third.id()).orElseThrow().ending());
      assertThat(ending.status()).isEqualTo(Status.STOPPED);
    }
  }

  @ParameterizedTest
  @CsvSource({"KEY, TIMED_OUT", "CHECK,"})
  void aFollowingCallIsResumedWithTheDoubtThatNoCheckHasTakenAway(
      Recognition recognition, Reason.@Nullable Unknown doubt) {
    CallRecord first;
    try (SqliteJournal dying = open(NOW)) {
      first = dyingIn(dying, recognition, null, "{}", List.of());
      dying.endCall(first.id(), Records.unknown(), null, ON_DISK);
    }
    dyingWith(recognition, first.id(), "{}", List.of(OPEN));

    try (SqliteJournal journal = open(LATER)) {
      assertThat(journal.recovery().toResume())
          .extracting(Interrupted::doubt)
          .containsExactly(doubt);
    }
  }

  private CallRecord dyingWith(
      Recognition recognition,
      @Nullable String follows,
      @Nullable String resend,
      List<Begun> attempts) {
    return dyingWith(recognition, follows, resend, attempts, RunState.RUNNING);
  }

  private CallRecord dyingWith(
      Recognition recognition,
      @Nullable String follows,
      @Nullable String resend,
      List<Begun> attempts,
      RunState state) {
    try (SqliteJournal dying = open(NOW)) {
      CallRecord call = dyingIn(dying, recognition, follows, resend, attempts);
      if (state != RunState.RUNNING) {
        dying.endRun(call.run(), state, "because", NOW);
      }
      return call;
    }
  }

  private static CallRecord dyingIn(
      SqliteJournal dying,
      Recognition recognition,
      @Nullable String follows,
      @Nullable String resend,
      List<Begun> attempts) {
    RunRecord run = dying.openRun(Records.run());
    CallRecord call = Records.following(run, recognition, null, "key", follows);
    dying.openCall(call, resend, ON_DISK);
    for (int number = 1; number <= attempts.size(); number++) {
      dying.beginAttempt(call.id(), Records.attempt(number), ON_DISK);
      AttemptEnd end = attempts.get(number - 1).end();
      if (end != null) {
        dying.endAttempt(call.id(), number, end, ON_DISK);
      }
    }
    return call;
  }
}
