package dev.callbound.journal.sqlite;

import dev.callbound.journal.JournalException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps a second process from writing the same journal, for as long as this one lives.
 *
 * <p>The lock is the operating system's, on a file beside the journal, so it goes with the process
 * however that ends. It is not taken on the journal itself: SQLite keeps its own locks there.
 */
final class ExclusiveUse implements AutoCloseable {
  private static final int LONGEST_PID = 20;

  private final FileChannel channel;

  private ExclusiveUse(FileChannel channel) {
    this.channel = channel;
  }

  static ExclusiveUse of(Path journal, Troubles troubles) throws IOException {
    // The same journal through a symbolic link is the same journal.
    Path beside = beside(journal);
    Place.make(beside);
    FileChannel channel =
        FileChannel.open(beside, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    try {
      if (!locked(channel)) {
        throw troubles.of(
            Kind.IN_USE,
            "another process%s has it open for writing; stop that one, or name another file"
                .formatted(holder(beside)));
      }
      channel.truncate(0);
      ExclusiveUse use = new ExclusiveUse(channel);
      use.write("");
      return use;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static Path beside(Path journal) throws IOException {
    Path real = journal.toRealPath();
    return real.resolveSibling(real.getFileName() + ".lock");
  }

  /** Adds a line for whoever reads the file that is locked. */
  void announce(String line) throws IOException {
    write(line + "\n");
  }

  private void write(String more) throws IOException {
    String text = ProcessHandle.current().pid() + "\n" + more;
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
  }

  /** The line that the holder has added; empty where it has not. */
  static Optional<String> announced(Path journal) {
    try {
      return Files.readString(beside(journal)).lines().skip(1).findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // This very process has it.
      return false;
    }
  }

  private static String holder(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      String first = text.lines().findFirst().orElse("");
      boolean pid = first.length() <= LONGEST_PID && first.matches("[0-9]+");
      return pid ? " (pid " + first + ")" : "";
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
