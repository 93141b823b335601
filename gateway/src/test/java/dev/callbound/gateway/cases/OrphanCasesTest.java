package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that outlive those who started them. */
class OrphanCasesTest {
  /** A shell that stays between the gateway and the server, as many a launcher does. */
  private static final String WRAPPER = "\"$@\"\nexit $?\n";

  private static final String[] STUBBORN = {
    "--grandchild", "--ignore-sigterm", "--linger-ms", "forever"
  };

  @TempDir Path folder;

  /** Each restart leaves a process behind: twenty starts, and nothing is left. */
  @Test
  void twentyStartsAndStopsLeaveNoProcess() throws Exception {
    List<Faults> servers =
        List.of(
            Faults.stdio(folder, "polite"),
            Faults.stdio(folder, "grandchild", "--grandchild"),
            Faults.stdio(folder, "lingering", "--linger-ms", "forever"),
            Faults.stdio(folder, "stubborn", STUBBORN),
            Faults.script(folder, "wrapped", WRAPPER, STUBBORN));
    try (World world = World.of(folder, servers, "stop_grace: 300ms, deadline: 30s", "")) {
      for (int start = 1; start <= 4; start++) {
        McpClient client = world.client();
        for (Faults server : servers) {
          String tool = server.name() + "__read_ok";
          assertThat(World.outcome(client.call(tool, "{}"))).as(tool).isEqualTo("ok");
          assertThat(server.ledger().events("start")).hasSize(start);
          assertThat(alive(server.processes())).as(server.name()).isNotEmpty();
        }
        world.restart();
        assertNothingLeft(servers);
      }
    }
    assertNothingLeft(servers);
    try (JournalReader journal = SqliteJournal.openReadOnly(folder.resolve("callbound.db"))) {
      assertThat(journal.toolsSeen()).hasSize(5);
    }
  }

  /** A polite server is only asked to end; a stubborn one is told, and then made to. */
  @Test
  void aStopGoesFromTheEndOfInputToTermToKill() throws Exception {
    Faults polite = Faults.stdio(folder, "polite");
    Faults lingering = Faults.stdio(folder, "lingering", "--linger-ms", "forever");
    Faults stubborn = Faults.stdio(folder, "stubborn", STUBBORN);
    List<Faults> servers = List.of(polite, lingering, stubborn);
    try (World world = World.of(folder, servers, "stop_grace: 3s, deadline: 30s", "")) {
      world.client();
    }

    assertNothingLeft(servers);
    for (Faults server : servers) {
      assertThat(server.ledger().events("stdin_end")).as(server.name()).hasSize(1);
    }
    assertThat(polite.ledger().events("sigterm")).isEmpty();
    assertThat(lingering.ledger().events("sigterm")).hasSize(1);
    assertThat(stubborn.ledger().events("sigterm")).hasSize(1);
  }

  /** Twenty calls are cut by their deadline: the process they ran in goes on. */
  @Test
  void aDeadlineStartsNoProcess() throws Exception {
    try (World world = World.of(folder, Way.STDIO, "deadline: 500ms, attempts: 1", "")) {
      McpClient client = world.client();
      List<PendingCall> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        calls.add(client.begin("read_hang", "{}"));
      }

      for (PendingCall call : calls) {
        assertThat(World.outcome(call.await())).isEqualTo("stopped/deadline_exceeded");
      }
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.events("start")).hasSize(1);
      assertThat(alive(world.server().processes())).hasSize(1);
    }
  }

  /** The gateway is killed: polite servers leave by themselves, the next start ends the others. */
  @Test
  void whatAKilledGatewayLeavesRunningTheNextOneEnds() throws Exception {
    Faults polite = Faults.stdio(folder, "polite");
    Faults stubborn = Faults.script(folder, "stubborn", WRAPPER, STUBBORN);
    Faults parent = Faults.stdio(folder, "parent", "--grandchild");
    List<Faults> servers = List.of(polite, stubborn, parent);
    Path config = World.file(folder, servers, "stop_grace: 300ms, deadline: 30s", "");
    try (GatewayProcess gateway = GatewayProcess.serve(folder, config);
        McpClient client = McpClient.http(gateway.url()).connect()) {
      client.request("tools/list", "{}");
      PendingCall lost = client.begin("stubborn__write_then_hang", "{\"marker\":\"lost\"}");
      assertThat(Eventually.holds(() -> stubborn.ledger().effectsMarked("lost").size() == 1))
          .isTrue();
      gateway.kill();
      assertThat(lost.response()).failsWithin(Duration.ofSeconds(10));
    }

    assertThat(Eventually.holds(() -> alive(polite.processes()).isEmpty()))
        .as("a polite server leaves when its input ends")
        .isTrue();
    assertThat(alive(stubborn.processes())).as("a stubborn one stays").hasSize(2);
    assertThat(Eventually.holds(() -> alive(parent.processes()).size() == 1))
        .as("what a polite one has started stays")
        .isTrue();
    try (GatewayProcess next = GatewayProcess.serve(folder, config)) {
      assertNothingLeft(servers);
      assertThat(next.process().isAlive()).isTrue();
    }
    try (JournalReader journal = SqliteJournal.openReadOnly(GatewayProcess.journal(folder))) {
      assertThat(journal.unknowns(10))
          .singleElement()
          .satisfies(
              call -> {
                assertThat(call.tool()).isEqualTo("write_then_hang");
                assertThat(World.outcome(call)).isEqualTo("unknown/worker_died");
              });
    }
    assertThat(stubborn.ledger().callsMarked("lost")).hasSize(1);
    assertThat(stubborn.ledger().effectsMarked("lost")).hasSize(1);
  }

  private static void assertNothingLeft(List<Faults> servers) throws Exception {
    for (Faults server : servers) {
      assertThat(Eventually.holds(() -> alive(server.processes()).isEmpty()))
          .as("of %s nothing is left of %s", server.name(), server.processes())
          .isTrue();
    }
  }

  /** Those that are there, whether they run or only wait to be reaped by us. */
  private static List<Long> alive(List<Long> processes) throws IOException {
    List<Long> alive = new ArrayList<>();
    for (long process : processes) {
      if (isThere(process)) {
        alive.add(process);
      }
    }
    return alive;
  }

  private static boolean isThere(long pid) throws IOException {
    Path status = Path.of("/proc", String.valueOf(pid), "stat");
    if (!Files.exists(Path.of("/proc/self"))) {
      return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
    String stat;
    try {
      stat = Files.readString(status);
    } catch (IOException _) {
      return false;
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    boolean zombie = fields[0].equals("Z");
    // A dead one is ours to reap only if we are its parent.
    return !zombie || Long.parseLong(fields[1]) == ProcessHandle.current().pid();
  }
}
