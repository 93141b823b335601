package dev.callbound.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that call an endpoint in a closed loop: each sends its next call when the last is
 * answered.
 *
 * @param calls the number of the next call, unique over the whole bench
 */
record Load(URI endpoint, Revision revision, AtomicLong calls) {

  /**
   * Runs so many clients for so long.
   *
   * @throws IOException if a single call fails, which makes the bench worthless
   */
  Sample run(Operation operation, int clients, Duration time)
      throws IOException, InterruptedException {
    var connections = new ArrayList<McpConnection>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var client = 0; client < clients; client++) {
        connections.add(new McpConnection(endpoint, revision));
      }
      var start = System.nanoTime();
      var end = start + time.toNanos();
      var loops =
          connections.stream()
              .<Callable<long[]>>map(connection -> () -> loop(connection, operation, end))
              .toList();
      var latencies = merge(threads.invokeAll(loops));
      return new Sample(latencies, System.nanoTime() - start);
    } finally {
      connections.forEach(McpConnection::close);
    }
  }

  /** Calls until the time is over, and returns how long each call took, in nanoseconds. */
  private long[] loop(McpConnection connection, Operation operation, long end) throws IOException {
    var nanos = new long[16 * 1024];
    var count = 0;
    for (var begun = System.nanoTime(); begun < end; ) {
      connection.call(operation, calls.incrementAndGet());
      var now = System.nanoTime();
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = now - begun;
      begun = now;
    }
    return Arrays.copyOf(nanos, count);
  }

  private static long[] merge(List<Future<long[]>> loops) throws IOException, InterruptedException {
    var parts = new ArrayList<long[]>();
    for (var loop : loops) {
      try {
        parts.add(loop.get());
      } catch (ExecutionException failed) {
        throw new IOException(failed.getCause());
      }
    }
    return parts.stream().flatMapToLong(Arrays::stream).sorted().toArray();
  }
}
