package dev.callbound.gateway.demo;

import dev.callbound.testkit.FaultServer;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The servers that one client talks to, and their ledger: one over HTTP in this process, and one
 * that is started as a process, so that it can really crash. Thread-safe.
 */
final class Backend implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration GLANCE = Duration.ofMillis(20);

  private final FaultServer http;
  private final List<String> command;
  private final Path ledger;

  private Backend(FaultServer http, List<String> command, Path ledger) {
    this.http = http;
    this.command = command;
    this.ledger = ledger;
  }

  /**
   * Starts the server over HTTP.
   *
   * @param client whose servers they are
   * @param folder where their ledger is kept
   */
  static Backend start(String client, Path folder) {
    Path ledger = ledgerOf(client, folder);
    return new Backend(
        FaultServer.http().name("flaky").ledger(ledger).start(),
        FaultServer.stdio().name("crashing").ledger(ledger).commandLine(),
        ledger);
  }

  /** The file in which the servers of that client write what arrives and what they execute. */
  static Path ledgerOf(String client, Path folder) {
    return folder.resolve(client + "-ledger.jsonl");
  }

  /** The endpoint of the server over HTTP. */
  URI url() {
    return http.url();
  }

  /** The command that starts the other server, which speaks on its standard streams. */
  List<String> command() {
    return command;
  }

  /** Answers 429 to the tool's calls for as long as given, from now on. */
  void limit(String tool, Duration time) {
    var refusal = JsonRpc.object("do", "status", "status", 429, "retry_after", 1);
    var fault =
        JsonRpc.object("match", "tools/call:" + tool, "times", -1, "steps", List.of(refusal));
    http.control(JsonRpc.text(JsonRpc.object("faults", List.of(fault))));
    Thread.ofVirtual().start(() -> liftLimit(time));
  }

  private void liftLimit(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.control(JsonRpc.text(JsonRpc.object("faults", List.of())));
  }

  /** What the ledger says of a task up to now. */
  Count count(Task task) {
    LedgerReport report = report();
    List<LedgerReport.Call> calls = report.callsMarked(task.marker());
    long answered = calls.stream().filter(call -> "ok".equals(call.outcome())).count();
    int happened = report.effectsMarked(task.marker()).size();
    return new Count(happened, (int) answered, calls.size());
  }

  /**
   * Waits until no call is being executed: a slow write happens after its client has left.
   *
   * @throws BrokenDemoException if one still is after ten seconds
   */
  void awaitQuiet() throws InterruptedException {
    long begun = System.nanoTime();
    while (!isQuiet()) {
      if (System.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new BrokenDemoException("a call was still being executed after " + PATIENCE);
      }
      Thread.sleep(GLANCE);
    }
  }

  private boolean isQuiet() {
    return report().calls().stream().allMatch(call -> call.outcome() != null);
  }

  private LedgerReport report() {
    try {
      return LedgerReport.readFile(ledger);
    } catch (IOException e) {
      throw new BrokenDemoException("the ledger " + ledger + " can't be read", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
