package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.gateway.Main;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.client.WireException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills the real process with {@code kill -9} at random instants while writes are under way, starts
 * it again on the same file, and compares what it remembers with what the server counted.
 */
class KilledGatewayTest {
  /** 50 kills in all, over the seeds below. */
  private static final int KILLS = 10;

  private static final int CLIENTS = 4;

  private static final int FIRST_ANSWERS = 5;

  /** The writes of a client until the gateway dies under it: more than it can make by then. */
  private static final int MOST_WRITES = 400;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir Path folder;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13, 14, 15})
  void noWriteIsSentTwiceAndNoCallStaysOpen(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path journal = folder.resolve("callbound.db");
    AtomicInteger markers = new AtomicInteger();
    try (Faults server = Faults.http(folder, "fault")) {
      Path config = folder.resolve("callbound.yaml");
      Files.writeString(
          config, "servers: {fault: {" + server.entry() + ", deadline: 20s, record: full}}\n");
      rehearse(config);
      for (int kill = 0; kill < KILLS; kill++) {
        Process gateway = start(config, journal);
        CountDownLatch answered = new CountDownLatch(FIRST_ANSWERS);
        List<Thread> clients = clients(url(gateway), random.split(), markers, answered);
        // Most kills hit a gateway that is at work, on a slow machine too; some hit its first
        // calls.
        if (kill % 5 != 4) {
          assertThat(answered.await(60, TimeUnit.SECONDS)).as("writes are answered").isTrue();
        }
        // The instant is random; what is under way at it is what the test is about.
        boolean died = gateway.waitFor(random.nextInt(1, 300), TimeUnit.MILLISECONDS);
        assertThat(died).as("the gateway ended by itself").isFalse();
        gateway.destroyForcibly().waitFor();
        for (Thread client : clients) {
          client.join();
        }
      }
      Process last = start(config, journal);
      url(last);
      last.destroy();
      assertThat(last.waitFor(30, TimeUnit.SECONDS)).isTrue();
      compare(journal, server.ledger(), markers.get());
    }
  }

  /** A start that ends well first, so that the others share the classes that it has loaded. */
  private void rehearse(Path config) throws Exception {
    Process gateway = start(config, folder.resolve("rehearsal.db"));
    url(gateway);
    gateway.destroy();
    assertThat(gateway.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  private Process start(Path config, Path journal) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+AutoCreateSharedArchive",
            "-XX:SharedArchiveFile=" + folder.resolve("classes.jsa"),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "serve",
            "--config",
            config.toString(),
            "--journal",
            journal.toString(),
            "--listen",
            "127.0.0.1:0"));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static URI url(Process gateway) throws IOException {
    BufferedReader out = gateway.inputReader();
    String line = out.readLine();
    assertThat(line).as("the line that says that it is ready").contains("http://");
    return URI.create(line.substring(line.indexOf("http://")).strip());
  }

  /** Clients that write one thing after the other until the gateway dies under them. */
  private static List<Thread> clients(
      URI url, SplittableRandom random, AtomicInteger markers, CountDownLatch answered) {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom own = random.split();
      Revision revision = i % 2 == 0 ? Revision.V2025_11_25 : Revision.V2026_07_28;
      clients.add(
          Thread.ofVirtual()
              .name("client")
              .start(() -> write(url, revision, own, markers, answered)));
    }
    return clients;
  }

  private static void write(
      URI url,
      Revision revision,
      SplittableRandom random,
      AtomicInteger markers,
      CountDownLatch answered) {
    try (McpClient client = McpClient.http(url).revision(revision).connect()) {
      for (int i = 0; i < MOST_WRITES; i++) {
        String marker = "m" + markers.incrementAndGet();
        String when = random.nextBoolean() ? "before" : "after";
        client.call(
            "write_slow",
            "{\"marker\":\"%s\",\"delay_ms\":%d,\"when\":\"%s\"}"
                .formatted(marker, random.nextInt(40), when));
        answered.countDown();
      }
    } catch (WireException e) {
      // The gateway has died, as it is meant to.
      assertThat(e.kind()).isNotEqualTo(WireException.Kind.TIMED_OUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void compare(Path journal, LedgerReport ledger, int markers) throws Exception {
    Map<String, Long> sent = count(ledger.calls().stream().map(LedgerReport.Call::marker).toList());
    Map<String, Long> done =
        count(ledger.effects().stream().map(LedgerReport.Effect::marker).toList());
    assertThat(sent.values()).as("no write is sent twice").allMatch(times -> times == 1);
    assertThat(done.values()).allMatch(times -> times == 1);
    Map<String, CallRecord> recorded = recorded(journal);
    assertThat(recorded.keySet())
        .as("nothing was sent that is not on record")
        .containsAll(sent.keySet());
    Map<String, Integer> outcomes = new HashMap<>();
    recorded.forEach(
        (marker, call) -> {
          Ending ending = call.ending();
          assertThat(ending).as("call %s of %s is not open", call.id(), marker).isNotNull();
          String outcome = World.outcome(call);
          outcomes.merge(outcome, 1, Integer::sum);
          switch (ending.status()) {
            case OK -> assertThat(done).as("%s is ok", marker).containsKey(marker);
            case STOPPED -> assertThat(done).as("%s is stopped", marker).doesNotContainKey(marker);
            case UNKNOWN -> assertThat(ending.attempts()).isEqualTo(1);
          }
        });
    assertThat(outcomes.getOrDefault("ok", 0))
        .as("some of %d writes ended ok", markers)
        .isPositive();
    assertThat(outcomes.getOrDefault("unknown/worker_died", 0))
        .as("kills hit writes that were under way: %s", outcomes)
        .isPositive();
  }

  private static Map<String, Long> count(List<String> markers) {
    Map<String, Long> counts = new HashMap<>();
    markers.forEach(marker -> counts.merge(marker, 1L, Long::sum));
    return counts;
  }

  private static Map<String, CallRecord> recorded(Path file) throws Exception {
    Map<String, CallRecord> calls = new HashMap<>();
    try (JournalReader journal = SqliteJournal.openReadOnly(file)) {
      for (var run : journal.runs(EnumSet.allOf(RunState.class), 1_000)) {
        for (CallRecord call : journal.callsOf(run.id(), 10_000)) {
          String arguments = journal.call(call.id()).orElseThrow().arguments();
          assertThat(arguments).isNotNull();
          calls.put(MAPPER.readTree(arguments).path("marker").asText(), call);
        }
      }
    }
    return calls;
  }
}
