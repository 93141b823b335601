package dev.callbound.gateway.upstream.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.ServerConfig.Stdio;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class StoppingTest {
  /** Tells the processes of this test from all others. */
  private final String seconds = "3600." + System.nanoTime();

  private final String grandchild = "sleep " + seconds + " & ";

  @TempDir private Path folder;

  @AfterEach
  void leaveNothing() {
    Processes.having(seconds).forEach(ProcessHandle::destroyForcibly);
  }

  private static String answers() {
    return Processes.answering("answer $id '{\"content\":[]}'").args().get(1);
  }

  private static Stdio shell(String before, String after) {
    return Processes.shell(before + answers() + after);
  }

  private static boolean sleeps(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("sleep")).isPresent();
  }

  private boolean nothingIsLeft() {
    return Processes.having(seconds).isEmpty();
  }

  /** Starts it with a call, stops it, and says how long the stop took. */
  private static Duration startAndStop(Stdio stdio) throws Exception {
    StdioServer server = Processes.server(stdio);
    try (server) {
      assertThat(Calls.call(server, "t", "{}")).isInstanceOf(Reply.Answered.class);
    }
    long before = System.nanoTime();
    server.close();
    return Duration.ofNanos(System.nanoTime() - before);
  }

  @Test
  void politeProcessEndsOnTheEndOfItsInput() throws Exception {
    Path ended = folder.resolve("ended");

    startAndStop(shell("trap 'echo TERM >> " + ended + "' TERM; ", "echo EOF >> " + ended));

    assertThat(Files.readAllLines(ended)).containsExactly("EOF");
  }

  @Test
  void processThatStaysAfterItsInputIsAskedToEnd() throws Exception {
    Path ended = folder.resolve("ended");

    startAndStop(
        shell(
            "trap 'echo TERM >> " + ended + "; exit' TERM; ",
            "while :; do sleep 0.05; done # " + seconds));

    assertThat(Files.readAllLines(ended)).containsExactly("TERM");
    assertThat(nothingIsLeft()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "trap '' TERM; "})
  void processThatIgnoresEverythingIsKilledWithItsGrandchildren(String trap) throws Exception {
    startAndStop(shell(trap + grandchild, "sleep " + seconds));

    assertThat(nothingIsLeft()).isTrue();
  }

  @Test
  void grandchildrenEndThoughTheirParentHasGone() throws Exception {
    startAndStop(shell("trap '' TERM; " + grandchild, ""));

    assertThat(nothingIsLeft()).isTrue();
  }

  @Test
  void grandchildrenEndAfterTheProcessCrashed() throws Exception {
    try (StdioServer server =
        Processes.server(Processes.shell(grandchild + "read -r line; exit 4"))) {
      Failure failure = Calls.failure(Calls.call(server, "t", "{}"));

      assertThat(failure.detail()).isEqualTo("the process ended with exit code 4");
      assertThat(Eventually.holds(this::nothingIsLeft)).isTrue();
    }
  }

  @Test
  void wrapperAndTheServerBehindItEnd() throws Exception {
    Path inner = Files.writeString(folder.resolve("inner.sh"), grandchild + answers());

    startAndStop(Processes.shell("sh " + inner + "; sleep " + seconds));

    assertThat(nothingIsLeft()).isTrue();
    assertThat(Processes.having(inner.toString())).isEmpty();
  }

  @Test
  void faultServerThatLingersIgnoresTermAndHasAGrandchildEnds() throws Exception {
    Path ledger = folder.resolve("ledger.jsonl");
    Stdio faults =
        Processes.faults(
            "--ledger",
            ledger.toString(),
            "--grandchild",
            "--ignore-sigterm",
            "--linger-ms",
            "forever");
    try (StdioServer server = Processes.server(faults)) {
      assertThat(Calls.text(Calls.call(server, "read_ok", "{\"text\":\"hi\"}"))).isEqualTo("hi");
    }

    assertThat(Processes.having(ledger.toString())).isEmpty();
    String events = Files.readString(ledger);
    assertThat(events).contains("stdin_end", "sigterm");
    long child = Long.parseLong(events.replaceAll("(?s).*\"child\":(\\d+).*", "$1"));
    assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void twentyCyclesLeaveNothing() throws Exception {
    long threads = threads();

    for (int cycle = 0; cycle < 20; cycle++) {
      startAndStop(shell(grandchild, ""));
    }

    assertThat(nothingIsLeft()).isTrue();
    assertThat(Eventually.holds(() -> threads() <= threads)).isTrue();
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("test std"))
        .count();
  }

  @Test
  void twentyDeadlinesStartNoOtherProcess() throws Exception {
    Path starts = folder.resolve("starts");
    try (StdioServer server =
        Processes.server(
            Processes.shell(
                "echo x >> " + starts + "\n" + Processes.answering(":").args().get(1)))) {
      for (int call = 0; call < 20; call++) {
        RecordingExchange exchange = new RecordingExchange();
        Calls.within(Duration.ofMillis(30), server, "t", "{}", exchange);
      }

      assertThat(Files.readAllLines(starts)).hasSize(1);
      assertThat(server.inFlight()).isZero();
    }
  }

  @Test
  void closingIsBoundedAndMayBeInterrupted() throws Exception {
    StdioServer server = Processes.server(shell("trap '' TERM; " + grandchild, "sleep " + seconds));
    Calls.call(server, "t", "{}");
    Thread.currentThread().interrupt();

    server.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(nothingIsLeft()).isTrue();
    server.close();
  }

  @Test
  void ledgerIsToldOfTheStartAndOfTheEnd() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    ProcessLedger ledger =
        new ProcessLedger() {
          @Override
          public void started(long pid, Instant startedAt, String server) {
            boolean same =
                ProcessHandle.of(pid).flatMap(it -> it.info().startInstant()).stream()
                    .allMatch(startedAt::equals);
            told.add("started " + pid + " " + server + " " + same);
          }

          @Override
          public void ended(long pid) {
            told.add("ended " + pid);
          }
        };
    long pid;
    try (StdioServer server =
        Processes.server(shell("", ""), Protocol.AUTO, Duration.ofSeconds(10), ledger)) {
      Calls.call(server, "t", "{}");
      pid = server.connection().pid();
    }

    assertThat(told).containsExactly("started " + pid + " test true", "ended " + pid);
  }

  @Test
  void leftoverOfAKilledGatewayIsEndedWithItsGroup() throws Exception {
    ChildProcess left =
        ChildProcess.start(Processes.shell("trap '' TERM; " + grandchild + "sleep " + seconds));
    assertThat(Eventually.holds(() -> Processes.having(seconds).size() >= 2)).isTrue();
    Leftovers.Leftover leftover = new Leftovers.Leftover(left.pid(), left.startedAt());

    assertThat(Leftovers.clean(List.of(leftover))).containsExactly(leftover);

    assertThat(nothingIsLeft()).isTrue();
    assertThat(Leftovers.clean(List.of(leftover))).isEmpty();
  }

  @Test
  void processThatGotTheNumberOfALeftoverIsLeftAlone() throws Exception {
    ChildProcess other = ChildProcess.start(Processes.shell("exec sleep " + seconds));
    // Until it is what it becomes: on the way there a process is seen without its arguments.
    assertThat(
            Eventually.holds(
                () -> Processes.having(seconds).stream().anyMatch(StoppingTest::sleeps)))
        .isTrue();
    Leftovers.Leftover leftover =
        new Leftovers.Leftover(other.pid(), other.startedAt().minusSeconds(60));

    assertThat(Leftovers.clean(List.of(leftover))).isEmpty();

    assertThat(nothingIsLeft()).isFalse();
  }
}
