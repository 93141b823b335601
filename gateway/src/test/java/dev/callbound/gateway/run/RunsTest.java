package dev.callbound.gateway.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.RunConfig;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.testing.SimulatedTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {
  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");
  private static final RunConfig CONFIG =
      new RunConfig(Duration.ofHours(2), 5, null, Duration.ofMinutes(30));

  @TempDir Path folder;

  private SimulatedTime time = new SimulatedTime();
  private Instant now = BEGIN;
  private final InstantSource clock = () -> now;
  private final Ids ids = new Ids(clock);
  private JournalStore journal;
  private Runs runs;

  @BeforeEach
  void start() {
    journal = SqliteJournal.open(folder.resolve("journal.db"), clock);
    runs = new Runs(CONFIG, journal, ids, time, clock);
  }

  @AfterEach
  void stop() {
    journal.close();
  }

  @Test
  void aNameIsOneRunOfItsPrincipal() {
    Run night = runs.named("me", "agent", "night").orElseThrow();

    assertThat(runs.named("me", "other agent", "night")).containsSame(night);
    assertThat(runs.named("you", "agent", "night").orElseThrow()).isNotSameAs(night);
    assertThat(runs.named("me", "agent", night.id())).containsSame(night);
  }

  /** A call that names its run must not wait for the disk to find it, nor for another that does. */
  @Test
  void aRunningRunIsFoundByItsNameWithoutTheJournal() {
    Run night = runs.named("me", "agent", "night").orElseThrow();

    journal.close();

    assertThat(runs.named("me", "agent", "night")).containsSame(night);
  }

  @Test
  void aNameStaysThatOfARunThatHasEnded() {
    Run night = runs.named("me", "agent", "night").orElseThrow();
    runs.end(night, RunState.DONE, "it is over");
    runs.sweep();

    Run found = runs.named("me", "agent", "night").orElseThrow();

    assertThat(found.id()).isEqualTo(night.id());
    assertThat(found.over()).isTrue();
  }

  @Test
  void anIdMustExistAndBeOnesOwn() {
    Run mine = runs.named("me", "agent", "night").orElseThrow();

    assertThat(runs.named("you", "agent", mine.id())).isEmpty();
    assertThat(runs.named("me", "agent", ids.run())).isEmpty();
    assertThat(runs.record("you", mine.id())).isEmpty();
  }

  @Test
  void withoutANameARunIsSharedByPrincipalAndClient() {
    Run one = runs.unnamed("me", "agent");

    assertThat(runs.unnamed("me", "agent")).isSameAs(one);
    assertThat(runs.unnamed("me", "other")).isNotSameAs(one);
    assertThat(runs.unnamed("you", "agent")).isNotSameAs(one);
    assertThat(runs.named("me", "agent", "night").orElseThrow()).isNotSameAs(one);
  }

  @Test
  void anEndedRunWithoutANameIsFollowedByANewOne() {
    Run first = runs.unnamed("me", "agent");
    runs.end(first, RunState.CANCELLED, "by hand");

    assertThat(runs.unnamed("me", "agent").id()).isNotEqualTo(first.id());
  }

  @Test
  void anIdleRunWithoutANameIsDoneAndABusyOneIsNot() {
    Run idle = runs.unnamed("me", "agent");
    Run busy = runs.unnamed("me", "busy");
    busy.join(() -> {});
    Run named = runs.named("me", "agent", "night").orElseThrow();
    pass(Duration.ofMinutes(31));
    runs.sweep();

    assertThat(idle.record().state()).isEqualTo(RunState.DONE);
    assertThat(busy.over()).isFalse();
    assertThat(named.over()).isFalse();
    assertThat(runs.unnamed("me", "agent").id()).isNotEqualTo(idle.id());
    assertThat(runs.unnamed("me", "busy")).isSameAs(busy);
  }

  @Test
  void aRunExpiresWithEverythingInIt() {
    Run run = runs.named("me", "agent", "night").orElseThrow();
    AtomicInteger told = new AtomicInteger();
    assertThat(run.join(told::incrementAndGet)).isTrue();
    // Those that work for it have a moment to end by themselves.
    pass(Duration.ofMinutes(121));
    runs.sweep();
    runs.sweep();

    assertThat(told).hasValue(1);
    assertThat(run.record().state()).isEqualTo(RunState.EXPIRED);
    assertThat(run.join(told::incrementAndGet)).isFalse();
    assertThat(runs.named("me", "agent", "night").orElseThrow().over()).isTrue();
  }

  @Test
  void endingTwiceKeepsTheFirstEnd() {
    Run run = runs.named("me", "agent", "night").orElseThrow();
    runs.end(run, RunState.CANCELLED, "by hand");
    runs.end(run, RunState.EXPIRED, "too late");

    assertThat(run.record().state()).isEqualTo(RunState.CANCELLED);
    assertThat(run.record().endedBecause()).isEqualTo("by hand");
  }

  @Test
  void aRestartGivesARunNoMoreThanItHad() {
    Run before = runs.named("me", "agent", "night").orElseThrow();
    Run unnamed = runs.unnamed("me", "agent");
    retry(before.id());
    pass(Duration.ofMinutes(10));
    restart();
    Run after = runs.named("me", "agent", "night").orElseThrow();

    assertThat(after.id()).isEqualTo(before.id());
    assertThat(after.budget().used()).isEqualTo(1);
    assertThat(after.budget().left()).isEqualTo(4);
    assertThat(after.deadline().left(time)).isEqualTo(Duration.ofMinutes(110));
    assertThat(runs.unnamed("me", "agent").id()).isEqualTo(unnamed.id());
  }

  @Test
  void aRunWhoseDeadlinePassedWhileNobodyRanIsOver() {
    Run before = runs.named("me", "agent", "night").orElseThrow();
    now = now.plus(Duration.ofHours(3));
    restart();
    Run after = runs.named("me", "agent", "night").orElseThrow();

    assertThat(after.id()).isEqualTo(before.id());
    assertThat(after.over() || after.deadline().passed(time)).isTrue();
    assertThat(runs.unnamed("me", "agent").over()).isFalse();
  }

  private void pass(Duration duration) {
    now = now.plus(duration);
    time.advance(duration);
  }

  private void restart() {
    journal.close();
    time = new SimulatedTime(77);
    start();
  }

  /** A call of the run that has used one retry. */
  private void retry(String run) {
    CallRecord call =
        new CallRecord(
            ids.call(),
            run,
            null,
            "server",
            "tool",
            Effect.READ,
            EffectSource.DEFAULT,
            Recognition.NONE,
            null,
            null,
            "sha256:0",
            null,
            now,
            null,
            null);
    journal.openCall(call, null, Durability.ON_DISK);
    for (int number = 1; number <= 2; number++) {
      AttemptRecord attempt =
          new AttemptRecord(number, Duration.ofSeconds(1), Attempt.Limit.TOOL, now, null);
      journal.beginAttempt(call.id(), attempt, Durability.ON_DISK);
      journal.endAttempt(
          call.id(),
          number,
          new AttemptEnd(
              Duration.ofMillis(1),
              null,
              new Decision(Decision.Action.OK, null, "answered"),
              Evidence.NONE),
          Durability.ON_DISK);
    }
  }
}
