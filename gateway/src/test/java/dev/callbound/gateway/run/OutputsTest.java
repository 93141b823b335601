package dev.callbound.gateway.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.RunConfig;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.EventKind;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.Ids;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRequest;
import dev.callbound.journal.RunState;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settling;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.testing.SimulatedTime;
import dev.callbound.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputsTest {
  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir Path folder;

  private final Ids ids = new Ids(CLOCK);
  private final AtomicReference<Optional<String>> url =
      new AtomicReference<>(Optional.of("it is answered with status 503"));
  private final List<OutputRecord> missed = new CopyOnWriteArrayList<>();
  private SqliteJournal journal;
  private Runs runs;
  private Outputs outputs;

  @BeforeEach
  void start() {
    journal = SqliteJournal.open(folder.resolve("journal.db"), CLOCK);
    runs =
        new Runs(
            new RunConfig(Duration.ofHours(2), 5, null, Duration.ofMinutes(30)),
            journal,
            ids,
            new SimulatedTime(),
            CLOCK);
    outputs = new Outputs(journal, CLOCK, _ -> url.get(), missed::add);
    outputs.start();
  }

  @AfterEach
  void stop() {
    outputs.close();
    journal.close();
  }

  @Test
  void aFileIsThereOnceItHasBeenChangedInTheRun() throws Exception {
    Path file = Files.writeString(folder.resolve("report"), "of yesterday");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    String run = expect("file:" + file);
    assertSeen(run, false, "it was not changed since the run began");

    Files.writeString(file, "of today");
    assertSeen(run, true, null);
    Files.delete(file);
    assertSeen(run, false, "there is no such file");

    assertThat(journal.eventsOf(run, 1, 10))
        .extracting(EventRecord::kind)
        .containsExactly(EventKind.OUTPUT_THERE, EventKind.OUTPUT_MISSING);
    assertThat(missed).isEmpty();
  }

  @Test
  void aUrlIsThereOnceItIsAnsweredWell() throws Exception {
    String run = expect("url:http://127.0.0.1:1/status");
    assertSeen(run, false, "it is answered with status 503");

    url.set(Optional.empty());

    assertSeen(run, true, null);
  }

  @Test
  void aToolIsThereOnceACallOfItHasEndedOk() throws Exception {
    String run = expect("tool:mail/send");
    call(run, "send", Ending.without(Ending.Status.STOPPED, Reason.Stopped.REFUSED, "", 1, now()));
    assertSeen(run, false, "no call of it has ended ok");

    call(run, "send", Ending.without(Ending.Status.OK, null, "", 1, now()));

    assertSeen(run, true, null);
  }

  @Test
  void whatIsNotThereWhenTheRunIsOverIsMissingInTheEnd() throws Exception {
    Path file = folder.resolve("report");
    String run = expect("file:" + file);
    assertSeen(run, false, "there is no such file");

    runs.end(runs.find(run).orElseThrow(), RunState.DONE, "it is over");
    outputs.wake();

    assertThat(Eventually.holds(() -> seen(run).isFinal())).isTrue();
    Files.writeString(file, "too late");
    outputs.wake();
    assertThat(seen(run).there()).isFalse();
    assertThat(missed).extracting(OutputRecord::output).containsExactly("file:" + file);
    assertThat(journal.eventsOf(run, 2, 10).getLast().data()).containsEntry("seen", "final");
  }

  @Test
  void aCallInDoubtMayStillTurnOutToHaveBroughtItAbout() throws Exception {
    String run = expect("tool:mail/send");
    String call =
        call(
            run,
            "send",
            Ending.without(Ending.Status.UNKNOWN, Reason.Unknown.TIMED_OUT, "no answer", 1, now()));
    runs.end(runs.find(run).orElseThrow(), RunState.DONE, "it is over");
    outputs.wake();
    assertSeen(run, false, "no call of it has ended ok");
    assertThat(seen(run).isFinal()).isFalse();

    journal.settle(
        Settling.without(call, Ending.Status.OK, "found", SettledBy.PERSON, "ana", null, now()));

    assertSeen(run, true, null);
    assertThat(seen(run).isFinal()).isTrue();
    assertThat(missed).isEmpty();
  }

  private String expect(String output) {
    String run =
        runs.request(
                "me", "test", null, null, null, null, new RunRequest(null, null), List.of(output))
            .run()
            .id();
    outputs.wake();
    return run;
  }

  private OutputRecord seen(String run) {
    return journal.outputsOf(run).getFirst();
  }

  private void assertSeen(String run, boolean there, String detail) throws Exception {
    assertThat(
            Eventually.holds(
                () -> {
                  OutputRecord seen = seen(run);
                  outputs.wake();
                  return seen.there() == there
                      && (there ? seen.detail() == null : detail.equals(seen.detail()));
                }))
        .as("%s", seen(run))
        .isTrue();
  }

  private String call(String run, String tool, Ending ending) {
    String id = ids.call();
    journal.openCall(
        new CallRecord(
            id,
            run,
            null,
            "mail",
            tool,
            Effect.WRITE,
            EffectSource.DEFAULT,
            Recognition.NONE,
            null,
            null,
            "sha256:00",
            null,
            now(),
            null,
            null),
        null,
        Durability.ON_DISK);
    journal.endCall(id, ending, null, Durability.ON_DISK);
    return id;
  }

  private static Instant now() {
    return CLOCK.instant();
  }
}
