package dev.callbound.benchmarks.duplicates;

import dev.callbound.benchmarks.GatewayProcess;
import dev.callbound.benchmarks.Machine;
import dev.callbound.testkit.FaultServer;
import dev.callbound.testkit.FaultServerProcess;
import dev.callbound.testkit.LedgerReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the same writes with the same faults in several ways, each against a server of its own, and
 * prints what the servers counted, and what the clients believed, as a table in Markdown.
 *
 * <p>Arguments: {@code SEED WRITES FOLDER COMMAND...}, the last being what starts Callbound. Ends
 * with an exception if something was done twice through Callbound, or believed wrongly.
 */
final class DuplicatesBench {
  /** How long one attempt is waited for, by whom ever. */
  static final Duration DEADLINE = Duration.ofMillis(500);

  private static final int CLIENTS = 32;

  private static final int WARM_UP_CALLS = 40;

  /** For the server to end what it is at, when nobody waits for it any more. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration INTERVAL = Duration.ofMillis(100);

  private static final List<Way> WAYS =
      List.of(
          new Way.Direct("retries on any error", Attitude.RETRIES_ANYTHING),
          new Way.Direct("never retries", Attitude.NEVER_RETRIES),
          new Way.Direct("Failsafe's retry policy", Attitude.FAILSAFE),
          new Way.Bounded("Callbound, nothing recognised", "none"),
          new Way.Bounded(
              "Callbound, with a check",
              "{check: {tool: find_by_marker, arguments: {marker: '{/marker}'},"
                  + " found: {at: '/objects/*'}}}"),
          new Way.Bounded("Callbound, with a key", "{key: {argument: idempotency_key}}"));

  private final List<Write> writes;
  private final Path folder;
  private final List<String> callbound;

  private DuplicatesBench(List<Write> writes, Path folder, List<String> callbound) {
    this.writes = writes;
    this.folder = folder;
    this.callbound = callbound;
  }

  static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    long seed = Long.parseLong(arguments[0]);
    List<Write> writes = Write.seeded(seed, Integer.parseInt(arguments[1]));
    DuplicatesBench bench =
        new DuplicatesBench(
            writes, Path.of(arguments[2]), List.of(arguments).subList(3, arguments.length));
    System.out.printf(
        "%s, %s; %d writes, seed %d, %d clients, %d ms for an attempt; %s%n%n",
        LocalDate.now(ZoneId.systemDefault()),
        Machine.description(),
        writes.size(),
        seed,
        CLIENTS,
        DEADLINE.toMillis(),
        count(writes));
    System.out.println(Tally.header());
    for (Way way : WAYS) {
      Tally tally = bench.measure(way);
      System.out.println(tally.row(way.title()));
      if (way instanceof Way.Bounded && (tally.more() > 0 || tally.wrong() > 0)) {
        throw new IllegalStateException("Callbound did what it must not: " + tally);
      }
    }
  }

  private static Map<Fault, Integer> count(List<Write> writes) {
    Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    writes.forEach(write -> counts.merge(write.fault(), 1, Integer::sum));
    return counts;
  }

  private Tally measure(Way way) throws IOException, InterruptedException, ExecutionException {
    try (FaultServerProcess server = FaultServer.http().startProcess()) {
      return switch (way) {
        case Way.Direct(String title, Attitude attitude) ->
            measure(server, number -> Client.direct(server.url(), attitude));
        case Way.Bounded bounded -> {
          Path own = Files.createTempDirectory(folder, "callbound");
          try (GatewayProcess gateway = Callbound.start(callbound, own, server.url(), bounded)) {
            URI url = gateway.url();
            yield measure(server, number -> Client.bounded(url, "run " + number));
          }
        }
      };
    }
  }

  /** Makes one of the clients. */
  private interface Clients {
    Client numbered(int number) throws InterruptedException;
  }

  private Tally measure(FaultServerProcess server, Clients clients)
      throws IOException, InterruptedException, ExecutionException {
    Map<Write, Belief> beliefs = new ConcurrentHashMap<>();
    List<Client> all = new ArrayList<>();
    try {
      for (int number = 0; number < CLIENTS; number++) {
        all.add(clients.numbered(number));
      }
      together(all, DuplicatesBench::warmUp);
      AtomicInteger next = new AtomicInteger();
      long begun = System.nanoTime();
      together(all, client -> writeAll(client, next, beliefs));
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      return Tally.of(beliefs, settled(server), took);
    } finally {
      all.forEach(Client::close);
    }
  }

  private static void warmUp(Client client) throws InterruptedException {
    for (int i = 0; i < WARM_UP_CALLS; i++) {
      client.warmUp();
    }
  }

  private void writeAll(Client client, AtomicInteger next, Map<Write, Belief> beliefs)
      throws InterruptedException {
    for (int i = next.getAndIncrement(); i < writes.size(); i = next.getAndIncrement()) {
      Write write = writes.get(i);
      beliefs.put(write, client.write(write));
    }
  }

  /** What one client does beside the others. */
  private interface Work {
    void doWith(Client client) throws InterruptedException;
  }

  private static void together(List<Client> clients, Work work)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (Client client : clients) {
        all.add(
            threads.submit(
                () -> {
                  work.doWith(client);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  /** The ledger, once no call is at work any more that could still do something. */
  private static LedgerReport settled(FaultServerProcess server)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      LedgerReport ledger = server.admin().ledger();
      if (ledger.calls().stream().allMatch(call -> call.outcome() != null)) {
        return ledger;
      }
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException("calls are still at work after " + PATIENCE);
      }
      LockSupport.parkNanos(INTERVAL.toNanos());
    }
  }
}
