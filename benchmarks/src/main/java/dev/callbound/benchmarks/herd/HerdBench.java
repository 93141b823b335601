package dev.callbound.benchmarks.herd;

import dev.callbound.benchmarks.GatewayProcess;
import dev.callbound.benchmarks.Machine;
import dev.callbound.testkit.FaultServer;
import dev.callbound.testkit.FaultServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Has many runs share one dependency that fails for a while, in several ways, each against a server
 * of its own, and prints what reached the server, by its own count, as a table in Markdown.
 *
 * <p>Arguments: {@code SEED RUNS SECONDS_DOWN FOLDER CHART COMMAND...}, the last being what starts
 * Callbound.
 */
final class HerdBench {
  private static final Duration BEFORE = Duration.ofSeconds(10);
  private static final Duration AFTER = Duration.ofSeconds(30);

  private final long seed;
  private final int runs;
  private final Phases phases;
  private final Path folder;
  private final List<String> callbound;

  private HerdBench(long seed, int runs, Phases phases, Path folder, List<String> callbound) {
    this.seed = seed;
    this.runs = runs;
    this.phases = phases;
    this.folder = folder;
    this.callbound = callbound;
  }

  static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    long seed = Long.parseLong(arguments[0]);
    int runs = Integer.parseInt(arguments[1]);
    Phases phases = new Phases(BEFORE, Duration.ofSeconds(Integer.parseInt(arguments[2])), AFTER);
    HerdBench bench =
        new HerdBench(
            seed,
            runs,
            phases,
            Path.of(arguments[3]),
            List.of(arguments).subList(5, arguments.length));
    System.out.printf(
        "%s, %s; %d runs, seed %d, down for %d s%n%n",
        LocalDate.now(ZoneId.systemDefault()),
        Machine.description(),
        runs,
        seed,
        phases.down().toSeconds());
    System.out.println(
        "| | requests while it is down | of naive | most in a second of that | most in any second | mean of all | back after s |");
    System.out.println("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    Map<String, Arrivals> all = new LinkedHashMap<>();
    for (Way way : Way.ALL) {
      Arrivals arrivals = bench.measure(way);
      all.put(way.title(), arrivals);
      System.out.println(row(way.title(), arrivals, all.values().iterator().next()));
    }
    Files.writeString(Path.of(arguments[4]), new Chart(all, phases).svg());
  }

  private static String row(String title, Arrivals arrivals, Arrivals naive) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.1f %% | %d | %d | %.1f | %.1f |",
        title,
        arrivals.whileDown(),
        100.0 * arrivals.whileDown() / naive.whileDown(),
        arrivals.busiestWhileDown(),
        arrivals.busiest(),
        arrivals.mean(),
        arrivals.backAfterMillis() / 1_000.0);
  }

  private Arrivals measure(Way way) throws IOException, InterruptedException, ExecutionException {
    try (FaultServerProcess server = FaultServer.http().startProcess()) {
      return switch (way) {
        case Way.Naive _ -> measure(server, server.url(), 3);
        case Way.Bounded(String _, String more) -> {
          Path own = Files.createTempDirectory(folder, "callbound");
          String yaml = "servers: {bench: {url: %s}}\n%s".formatted(server.url(), more);
          try (GatewayProcess gateway = GatewayProcess.start(callbound, own, yaml)) {
            yield measure(server, gateway.url(), 1);
          }
        }
      };
    }
  }

  private Arrivals measure(FaultServerProcess server, URI url, int attempts)
      throws IOException, InterruptedException, ExecutionException {
    SplittableRandom random = new SplittableRandom(seed);
    List<HerdRun> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int run = 0; run < runs; run++) {
        all.add(new HerdRun(url, "run " + run, attempts, random.split()));
      }
      long begunMillis = System.currentTimeMillis();
      long begun = System.nanoTime();
      long up = begun + phases.before().plus(phases.down()).toNanos();
      AtomicLong back = new AtomicLong();
      List<Future<?>> living = new ArrayList<>();
      for (HerdRun run : all) {
        living.add(
            threads.submit(
                () -> {
                  run.live(begun + phases.whole().toNanos(), up, back);
                  return null;
                }));
      }
      breakAndMend(server, begun);
      for (Future<?> each : living) {
        each.get();
      }
      List<Long> arrived =
          server.admin().ledger().calls().stream()
              .map(call -> call.at().toEpochMilli() - begunMillis)
              .toList();
      return Arrivals.of(arrived, phases, (back.get() - up) / 1_000_000);
    } finally {
      all.forEach(HerdRun::close);
    }
  }

  private void breakAndMend(FaultServerProcess server, long begun)
      throws IOException, InterruptedException {
    sleepUntil(begun + phases.before().toNanos());
    server
        .admin()
        .control(
            "{\"faults\":[{\"match\":\"tools/call:read_ok\",\"times\":-1,"
                + "\"steps\":[{\"do\":\"status\",\"status\":503}]}]}");
    sleepUntil(begun + phases.before().plus(phases.down()).toNanos());
    server.admin().control("{\"faults\":[]}");
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    Thread.sleep(Duration.ofNanos(Math.max(0, nanos - System.nanoTime())));
  }
}
