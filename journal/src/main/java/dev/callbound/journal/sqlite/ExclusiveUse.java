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
    Path real = journal.toRealPath();
    Path beside = real.resolveSibling(real.getFileName() + ".lock");
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
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
      return new ExclusiveUse(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
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
      String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      boolean pid = text.length() <= LONGEST_PID && text.matches("[0-9]+");
      return pid ? " (pid " + text + ")" : "";
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
