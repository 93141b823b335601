package dev.callbound.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One way to the server.
 *
 * @param process what stands in the middle, or null if nothing does
 */
record Way(String name, URI endpoint, @Nullable Long process) {

  /** Parses {@code NAME=URL[@PID]}. */
  static Way parse(String argument) {
    var parts = argument.split("[=@]", 3);
    if (parts.length < 2) {
      throw new IllegalArgumentException("a way must be NAME=URL[@PID]: " + argument);
    }
    return new Way(
        parts[0], URI.create(parts[1]), parts.length == 3 ? Long.valueOf(parts[2]) : null);
  }

  /**
   * The resident memory of what stands in the middle, children included, in MiB; a dash for
   * nothing.
   */
  String memory() {
    if (process == null) {
      return "-";
    }
    var root = ProcessHandle.of(process).orElseThrow();
    var kib =
        Stream.concat(Stream.of(root), root.descendants())
            .mapToLong(each -> residentKib(each.pid()))
            .sum();
    return Long.toString(Math.round(kib / 1024.0));
  }

  /** The processor time that what stands in the middle has used so far, children included. */
  Duration processorTime() {
    if (process == null) {
      return Duration.ZERO;
    }
    var root = ProcessHandle.of(process).orElseThrow();
    return Stream.concat(Stream.of(root), root.descendants())
        .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static long residentKib(long pid) {
    try (var lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException gone) {
      return 0;
    }
  }
}
