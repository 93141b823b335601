package dev.callbound.benchmarks.load;

import dev.callbound.benchmarks.Machine;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/**
 * Measures the same calls on several ways to one {@link LoadServer}, interleaved, so that what else
 * the machine does falls on all of them, and prints the medians over the rounds as a table in
 * Markdown.
 *
 * <p>Arguments: {@code REVISION ROUNDS SECONDS LEDGER NAME=URL[@PID]...}. PID is the process in the
 * middle, whose memory is read after its runs, children included. Ends with an exception when a
 * call fails, or when the server's ledger does not agree with what was counted here.
 */
final class LoadBench {

  private static final List<Integer> CONCURRENCY = List.of(1, 32);
  private static final Duration WARM_UP = Duration.ofSeconds(5);

  private final AtomicLong calls = new AtomicLong();
  private final Map<Operation, Long> counted = new LinkedHashMap<>();
  private final Revision revision;
  private final int rounds;
  private final Duration time;

  private LoadBench(Revision revision, int rounds, Duration time) {
    this.revision = revision;
    this.rounds = rounds;
    this.time = time;
  }

  static void main(String[] arguments) throws IOException, InterruptedException {
    var bench =
        new LoadBench(
            Revision.of(arguments[0]),
            Integer.parseInt(arguments[1]),
            Duration.ofSeconds(Long.parseLong(arguments[2])));
    var ways = Arrays.stream(arguments).skip(4).map(Way::parse).toList();
    bench.warmUp(ways);
    var rows = bench.measure(ways);
    bench.compare(Ledger.read(URI.create(arguments[3])));
    bench.print(ways, rows);
  }

  private void warmUp(List<Way> ways) throws IOException, InterruptedException {
    for (var way : ways) {
      for (var operation : Operation.values()) {
        run(way, operation, 32, WARM_UP);
        run(way, operation, 1, WARM_UP.dividedBy(5));
      }
    }
  }

  /** A row of the table. */
  private record Row(Operation operation, int concurrency, Way way) {}

  private Map<Row, List<Sample>> measure(List<Way> ways) throws IOException, InterruptedException {
    var rows = new LinkedHashMap<Row, List<Sample>>();
    for (var round = 1; round <= rounds; round++) {
      System.err.println("round " + round + " of " + rounds);
      for (var operation : Operation.values()) {
        for (var concurrency : CONCURRENCY) {
          for (var way : ways) {
            rows.computeIfAbsent(new Row(operation, concurrency, way), row -> new ArrayList<>())
                .add(run(way, operation, concurrency, time));
          }
        }
      }
    }
    return rows;
  }

  private Sample run(Way way, Operation operation, int concurrency, Duration time)
      throws IOException, InterruptedException {
    try {
      var before = way.processorTime();
      var load = new Load(way.endpoint(), revision, calls).run(operation, concurrency, time);
      var sample = load.costing(way.processorTime().minus(before));
      counted.merge(operation, (long) sample.calls(), Long::sum);
      return sample;
    } catch (IOException failed) {
      throw new IOException(
          way.name() + ", " + operation + ", " + concurrency + " clients", failed);
    }
  }

  /**
   * A call that was answered and not carried out, or carried out twice, makes the numbers
   * worthless.
   */
  private void compare(Ledger ledger) {
    var here =
        new Ledger(
            counted.getOrDefault(Operation.READ, 0L), counted.getOrDefault(Operation.WRITE, 0L));
    if (!here.equals(ledger)) {
      throw new IllegalStateException("answered: " + here + ", carried out: " + ledger);
    }
  }

  private void print(List<Way> ways, Map<Row, List<Sample>> rows) {
    var direct = ways.getFirst();
    System.out.printf(
        "%s, %s; MCP %s; medians of %d rounds of %d s, interleaved; %d calls, each checked%n%n",
        LocalDate.now(ZoneId.systemDefault()),
        Machine.description(),
        revision.date(),
        rounds,
        time.toSeconds(),
        calls.get());
    System.out.println(
        "| calls | clients | way | p50 ms | added p50 ms | p99 ms"
            + " | calls/s | of direct | cpu µs/call | memory MiB |");
    System.out.println("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    rows.forEach(
        (row, samples) -> {
          var base = rows.getOrDefault(new Row(row.operation, row.concurrency, direct), samples);
          System.out.printf(
              "| %s | %d | %s | %.3f | %.3f | %.3f | %.0f | %.2f | %.0f | %s |%n",
              row.operation.name().toLowerCase(Locale.ROOT),
              row.concurrency,
              row.way.name(),
              p50(samples),
              p50(samples) - p50(base),
              median(samples, sample -> sample.millis(0.99)),
              median(samples, Sample::throughput),
              median(samples, Sample::throughput) / median(base, Sample::throughput),
              median(samples, Sample::processorMicros),
              row.way.memory());
        });
  }

  private static double p50(List<Sample> samples) {
    return median(samples, sample -> sample.millis(0.5));
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> value) {
    var sorted = samples.stream().mapToDouble(value).sorted().toArray();
    var middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
