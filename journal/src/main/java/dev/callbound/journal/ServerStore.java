package dev.callbound.journal;

import java.util.List;
import java.util.Optional;

/**
 * What is remembered of the servers themselves. Thread-safe, and otherwise as {@link JournalStore}:
 * what is written here reaches the disk {@link Durability#SOON}, and what is read is on disk.
 */
public interface ServerStore {
  /** What keeps calls from the servers, as it last changed. */
  List<CircuitRecord> circuits();

  /** Records a change. One with a smaller number than what is on record is passed over. */
  void changed(CircuitRecord circuit);

  /** The number of the latest reset; zero before the first. */
  long lastReset();

  /** What has been reset since, in order, by whatever process. */
  List<CircuitReset> resetsAfter(long id);

  /** The tools that a server listed last. */
  Optional<ToolList> toolList(String server);

  /** Remembers what a server has listed, in place of what it listed before. */
  void listed(ToolList list);
}
