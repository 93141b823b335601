package dev.callbound.journal;

import java.time.Instant;

/**
 * The tools of a server, as it listed them.
 *
 * @param listedAt whole milliseconds
 * @param tools a JSON array
 */
public record ToolList(String server, Instant listedAt, String tools) {
  public ToolList {
    listedAt = Check.millis(listedAt);
  }
}
