package dev.callbound.gateway.door.http;

import dev.callbound.gateway.config.ListenAddress;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says why an address can't be had, and on Linux which process has it, as far as this user may see.
 */
final class PortInUse {
  private static final String LISTENING = "0A";

  private PortInUse() {}

  static String explain(ListenAddress address, IOException cause) {
    if (address.port() == 0 || !String.valueOf(cause.getMessage()).contains("in use")) {
      return "cannot listen on " + address + ": " + cause.getMessage();
    }
    String holder =
        holder(address.port())
            .map(process -> "process " + process.pid() + name(process) + " listens there")
            .orElse("another program listens there");
    return "cannot listen on "
        + address
        + ": "
        + holder
        + "; end it, or choose another port with --listen HOST:PORT (port 0 picks a free one)";
  }

  private static String name(ProcessHandle process) {
    return process.info().command().map(command -> " (" + command + ")").orElse("");
  }

  private static Optional<ProcessHandle> holder(int port) {
    Set<String> sockets = new HashSet<>();
    try {
      for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
        Files.readAllLines(Path.of(table)).forEach(row -> collect(row, port, sockets));
      }
    } catch (IOException e) {
      // No such table on this system: what was found is all there is.
    }
    return sockets.isEmpty()
        ? Optional.empty()
        : ProcessHandle.allProcesses().filter(process -> holds(process, sockets)).findFirst();
  }

  /**
   * A row is: number, local address and port in hex, remote, state, ..., inode in the tenth place.
   */
  private static void collect(String row, int port, Set<String> sockets) {
    String[] fields = row.strip().split("\\s+", -1);
    if (fields.length > 9
        && fields[1].endsWith(String.format(":%04X", port))
        && fields[3].equals(LISTENING)) {
      sockets.add("socket:[" + fields[9] + "]");
    }
  }

  private static boolean holds(ProcessHandle process, Set<String> sockets) {
    Path folder = Path.of("/proc", Long.toString(process.pid()), "fd");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (sockets.contains(Files.readSymbolicLink(file).toString())) {
          return true;
        }
      }
    } catch (IOException e) {
      // Another user's process, or one that has just ended.
      return false;
    }
    return false;
  }
}
