package dev.callbound.gateway.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The system's list of processes, where there is one as files (Linux). It tells members of a group
 * that run from those that have ended and are only waiting for their parent to ask: where the first
 * process of a container never asks, these stay for ever, and nothing can be done about them.
 */
final class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  private ProcessTable() {}

  /** Whether there is such a list here. */
  static boolean isThere() {
    return Files.isReadable(PROC.resolve("self/stat"));
  }

  /** Whether no member of the group runs. */
  static boolean noneRuns(long group) {
    try {
      return members(group, 1).isEmpty();
    } catch (IOException | DirectoryIteratorException _) {
      return false;
    }
  }

  /**
   * The numbers of the group's members that run.
   *
   * @param most how many are looked for
   */
  static List<Long> members(long group, int most) throws IOException {
    List<Long> members = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        if (runsIn(group, process.resolve("stat"))) {
          members.add(Long.valueOf(process.getFileName().toString()));
          if (members.size() == most) {
            break;
          }
        }
      }
    }
    return members;
  }

  /** Whether the environment that a process was started with sets a variable. */
  static boolean isSet(long pid, String variable) {
    try {
      String environment =
          Files.readString(
              PROC.resolve(Long.toString(pid)).resolve("environ"), StandardCharsets.ISO_8859_1);
      return Arrays.stream(environment.split("\0"))
          .anyMatch(entry -> entry.startsWith(variable + "="));
    } catch (IOException _) {
      // It has ended, or is somebody else's.
      return false;
    }
  }

  private static boolean runsIn(long group, Path stat) {
    String line;
    try {
      line = Files.readString(stat, StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      // It has ended and been asked about since the list was read.
      return false;
    }
    // proc_pid_stat(5): pid (name) state parent group ...; the name may hold anything.
    String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", 4);
    boolean ended = fields[0].equals("Z") || fields[0].equals("X");
    return !ended && fields[2].equals(Long.toString(group));
  }
}
