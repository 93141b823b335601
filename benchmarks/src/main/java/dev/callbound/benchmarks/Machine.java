package dev.callbound.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine that a bench ran on. */
public final class Machine {

  private Machine() {}

  /**
   * The processor, its cores, the memory, the operating system and the Java runtime, in one line.
   */
  public static String description() {
    return "%s, %d cores, %d GiB, Linux %s, %s %s"
        .formatted(
            field("/proc/cpuinfo", "model name"),
            Runtime.getRuntime().availableProcessors(),
            Math.round(
                Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("\\D", ""))
                    / 1024.0
                    / 1024.0),
            System.getProperty("os.version"),
            System.getProperty("java.vendor.version"),
            Runtime.version());
  }

  private static String field(String file, String name) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("0");
    } catch (IOException unreadable) {
      return "0";
    }
  }
}
