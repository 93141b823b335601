package dev.callbound.gateway.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * That one {@code exec} at a time works in a run of a given name: a second would do the same steps
 * beside the first, and the first of them to end would end the run of both. The system forgets it
 * with the process, however that ends, so who comes back after a crash finds the way free.
 */
final class SoleCommand implements AutoCloseable {
  private final @Nullable FileChannel channel;

  private SoleCommand(@Nullable FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Becomes the one.
   *
   * @param journal the journal that knows the run
   * @param name the run's; null for a run without one, which nobody else can work in
   * @throws CommandFailedException if another process is
   */
  static SoleCommand of(Path journal, @Nullable String name) throws IOException {
    if (name == null) {
      return new SoleCommand(null);
    }
    Path real = journal.toRealPath();
    FileChannel channel =
        FileChannel.open(
            real.resolveSibling(real.getFileName() + ".exec"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    try {
      // One file for all names, each with a byte of its own: it stays empty, and nothing piles up.
      if (channel.tryLock(place(name), 1, false) == null) {
        throw taken(name);
      }
      return new SoleCommand(channel);
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw taken(name);
    } catch (IOException | CommandFailedException e) {
      channel.close();
      throw e;
    }
  }

  private static CommandFailedException taken(String name) {
    return new CommandFailedException(
        "another callbound exec works in the run %s: wait until it has ended, or take another name"
            .formatted(Text.line(name)));
  }

  private static long place(String name) {
    UUID hash = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    return hash.getMostSignificantBits() & (Long.MAX_VALUE >> 1);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
