package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.Revision;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kills the real process with {@code kill -9} at random instants while writes of every kind are
 * under way, starts it again on the same file, lets its clients come back, and compares what they
 * were told and what it remembers with what the server counted.
 */
class KilledGatewayTest {
  private static final int CLIENTS = 8;

  private static final int FIRST_ANSWERS = 10;

  private static final int LATEST_KILL_MILLIS = 300;

  /** About as long as a start takes. */
  private static final int LATEST_EARLY_KILL_MILLIS = 1_500;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @ParameterizedTest(name = "clients over {0}, server over {1}, seed {2}, {3} kills")
  @CsvSource({
    "HTTP, HTTP, 11, 17",
    "STDIO, HTTP, 12, 17",
    "HTTP, STDIO, 13, 8",
    "STDIO, STDIO, 14, 8"
  })
  void nothingIsDoneTwiceAndEveryOutcomeIsTrue(
      Way door, Way upstream, long seed, int kills, TestReporter reporter) throws Exception {
    kill(door, upstream, seed, kills, reporter);
  }

  @Tag("slow")
  @ParameterizedTest(name = "clients over {0}, server over {1}, seed {2}, {3} kills")
  @CsvSource({
    "HTTP, HTTP, 21, 80",
    "STDIO, HTTP, 22, 60",
    "HTTP, STDIO, 23, 30",
    "STDIO, STDIO, 24, 30"
  })
  void nothingIsDoneTwiceInTwoHundredKills(
      Way door, Way upstream, long seed, int kills, TestReporter reporter) throws Exception {
    kill(door, upstream, seed, kills, reporter);
  }

  private void kill(Way door, Way upstream, long seed, int kills, TestReporter reporter)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    try (Faults server =
        upstream == Way.HTTP ? Faults.http(folder, "fault") : Faults.stdio(folder, "fault")) {
      Writes writes = new Writes(upstream);
      Path config =
          World.file(folder, List.of(server), writes.configuration(), "run: {retries: 100000}");
      List<ReturningClient> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new ReturningClient("night " + i, writes, random.split()));
      }
      for (int kill = 0; kill < kills; kill++) {
        // Most kills hit a gateway that is at work, on a slow machine too; some hit its first
        // calls, and some its start, when it takes up what the last one left.
        if (kill % 10 == 9) {
          Duration early = Duration.ofMillis(random.nextInt(1, LATEST_EARLY_KILL_MILLIS));
          KillableGateway.killEarly(folder, config, early);
        } else {
          try (KillableGateway gateway = start(door, config, random)) {
            oneLife(gateway, clients, kill % 5 != 4, random);
          }
        }
      }
      try (KillableGateway gateway = start(door, config, random)) {
        for (ReturningClient client : clients) {
          client.finish(gateway);
        }
        assertThat(Eventually.holds(PATIENCE, this::allHasEnded)).as("no call is open").isTrue();
        gateway.stop();
      }
      reckon(server.ledger(), clients, reporter);
    }
  }

  private static void oneLife(
      KillableGateway gateway,
      List<ReturningClient> clients,
      boolean atWork,
      SplittableRandom random)
      throws InterruptedException, ExecutionException {
    CountDownLatch answered = new CountDownLatch(FIRST_ANSWERS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> lives = new ArrayList<>();
      for (ReturningClient client : clients) {
        lives.add(
            threads.submit(
                () -> {
                  client.live(gateway, answered);
                  return null;
                }));
      }
      if (atWork) {
        assertThat(answered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .as("writes are answered")
            .isTrue();
      }
      // The instant is random; what is under way at it is what the test is about.
      assertThat(gateway.endsWithin(Duration.ofMillis(random.nextInt(1, LATEST_KILL_MILLIS))))
          .as("the gateway ended by itself")
          .isFalse();
      gateway.kill();
      for (Future<?> life : lives) {
        life.get();
      }
    }
  }

  private void reckon(LedgerReport ledger, List<ReturningClient> clients, TestReporter reporter)
      throws IOException {
    Reckoning reckoning = Reckoning.of(GatewayProcess.journal(folder), ledger, clients);
    reporter.publishEntry("outcomes", reckoning.outcomes().toString());
    reckoning.noCallIsOpen();
    reckoning.nothingWasDoneTwice();
    reckoning.nothingUnrecognisedWasSentTwice();
    reckoning.everyKeyedWriteHadOneKey();
    reckoning.everyOutcomeIsTrue();
    reckoning.everyAnswerWasTrue();
    reckoning.whatCouldBeRecognisedWasDoneOnce();
    reckoning.theKillsHitWritesThatWereUnderWay();
  }

  private boolean allHasEnded() {
    try (JournalReader journal = SqliteJournal.openReadOnly(GatewayProcess.journal(folder))) {
      return journal.runs(EnumSet.allOf(RunState.class), 1_000).stream()
          .flatMap(run -> journal.callsOf(run.id(), 100_000).stream())
          .noneMatch(call -> call.ending() == null);
    }
  }

  private KillableGateway start(Way door, Path config, SplittableRandom random) throws Exception {
    Revision revision = random.nextBoolean() ? Revision.V2025_11_25 : Revision.V2026_07_28;
    return KillableGateway.start(door, folder, config, revision);
  }
}
