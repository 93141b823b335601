package dev.callbound.journal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Replay;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Money;
import dev.callbound.policy.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WholeCallsTest {
  private static final RunRecord RUN = Records.run();
  private static final CallRecord CALL = Records.call(RUN, Effect.READ);

  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void makeJournal() {
    file = folder.resolve("whole.db");
    journal(file);
  }

  private static void journal(Path file) {
    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      journal.openRun(RUN);
    }
  }

  static Stream<Arguments> calls() {
    AttemptEnd refused =
        new AttemptEnd(
            Duration.ofMillis(7),
            FailureRecord.of(new Failure.Refused(403, "no")),
            new Decision(Decision.Action.STOP, null, "refused for good"),
            new Evidence(3, Duration.ofMillis(2), 5, "a note"));
    AttemptEnd retried =
        Records.failed(new Failure.NotSent("connect failed"), Decision.Action.RETRY);
    AttemptEnd neverArrived =
        Records.failed(new Failure.NotSent("connect failed"), Decision.Action.STOP);
    Ending stopped =
        new Ending(
            Ending.Status.STOPPED,
            Reason.Stopped.REFUSED,
            "403: no",
            1,
            Records.NOW,
            "sha256:11",
            12,
            null);
    Ending full =
        new Ending(Ending.Status.OK, null, "", 1, Records.NOW, "sha256:11", 12, "{\"a\":1}");
    CallStep opened = new CallStep.Opened(CALL, null);
    CallStep begun = new CallStep.Begun(Records.attempt(1, new Money(7)));
    return Stream.of(
        call("ok", opened, begun, ended(1, Records.ANSWERED, Records.ok(), null)),
        call("stopped", opened, begun, ended(1, refused, stopped, null)),
        call("never arrived", opened, begun, ended(1, neverArrived, stopped, null)),
        call("not let in", opened, new CallStep.Ended(null, stopped, null)),
        call("unknown", opened, begun, ended(1, refused, Records.unknown(), null)),
        call("in full", opened, begun, ended(1, Records.ANSWERED, full, null)),
        call(
            "replayed",
            opened,
            begun,
            ended(1, Records.ANSWERED, Records.ok(), new Replay("{}", false))),
        call(
            "second attempt",
            opened,
            begun,
            new CallStep.AttemptEnded(1, retried),
            new CallStep.Begun(Records.attempt(2)),
            ended(2, Records.ANSWERED, Records.ok(), null)),
        call("still open", opened, begun),
        call(
            "ended apart",
            opened,
            begun,
            new CallStep.AttemptEnded(1, Records.ANSWERED),
            new CallStep.Ended(null, Records.ok(), null)));
  }

  /** However a call is written, what is on disk is the same. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void whatIsOnDiskIsTheSame(String name, List<CallStep> steps) throws Exception {
    Path other = folder.resolve("one-by-one.db");
    journal(other);

    write(file, writes(steps, true));
    write(other, writes(steps, false));

    assertThat(read(file)).isEqualTo(read(other));
  }

  @Test
  void anOrdinaryReadIsWrittenByItsEndAlone() throws Exception {
    List<CallStep> steps =
        List.of(
            new CallStep.Opened(CALL, null),
            new CallStep.Begun(Records.attempt(1)),
            ended(1, Records.ANSWERED, Records.ok(), null));
    CallWrite end = writes(steps, true).getLast();

    write(file, List.of(end));

    assertThat(read(file).call()).isPresent();
    assertThat(read(file).attempts()).hasSize(1);
  }

  @Test
  void callsOfOneGroupDoNotMix() throws Exception {
    CallRecord second = Records.call(RUN, Effect.READ);
    List<CallWrite> writes =
        List.of(
            write(CALL.id(), new CallStep.Opened(CALL, null)),
            write(second.id(), new CallStep.Opened(second, null)),
            write(second.id(), new CallStep.Begun(Records.attempt(1))),
            write(CALL.id(), new CallStep.Begun(Records.attempt(1))),
            write(second.id(), ended(1, Records.ANSWERED, Records.ok(), null)));
    WholeCalls.gather(List.copyOf(writes));

    write(file, writes);

    try (SqliteJournal journal = SqliteJournal.open(file, Records.CLOCK)) {
      assertThat(journal.call(second.id()).orElseThrow().ending()).isEqualTo(Records.ok());
      assertThat(journal.recovery().stopped()).isEqualTo(1);
    }
  }

  private record Read(Optional<CallRecord> call, List<AttemptRecord> attempts) {}

  private static Read read(Path file) {
    try (var reader = SqliteJournal.openReadOnly(file)) {
      return new Read(reader.call(CALL.id()), reader.attemptsOf(CALL.id()));
    }
  }

  private static void write(Path file, List<CallWrite> writes) throws Exception {
    try (Sql sql = new Connections(file).writing()) {
      sql.begin();
      for (CallWrite write : writes) {
        write.apply(sql);
      }
      sql.commit();
    }
  }

  private static List<CallWrite> writes(List<CallStep> steps, boolean gathered) {
    List<CallWrite> writes = new ArrayList<>();
    steps.forEach(step -> writes.add(write(CALL.id(), step)));
    if (gathered) {
      WholeCalls.gather(List.copyOf(writes));
    }
    return writes;
  }

  private static CallWrite write(String call, CallStep step) {
    return new CallWrite(call, step, Durability.SOON);
  }

  private static CallStep ended(
      int number, AttemptEnd end, Ending ending, @Nullable Replay replay) {
    return new CallStep.Ended(new CallStep.AttemptEnded(number, end), ending, replay);
  }

  private static Arguments call(String name, CallStep... steps) {
    return Arguments.of(name, List.of(steps));
  }
}
