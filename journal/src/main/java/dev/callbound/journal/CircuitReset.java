package dev.callbound.journal;

import org.jspecify.annotations.Nullable;

/**
 * Somebody said that what is in the way of calls is to be forgotten.
 *
 * @param id grows from one to the next
 * @param server null for all of them
 * @param tool null for all of the server's, and for the server as a whole
 * @param who a name for people
 */
public record CircuitReset(long id, @Nullable String server, @Nullable String tool, String who) {
  public CircuitReset {
    if (server == null && tool != null) {
      throw new IllegalArgumentException("a tool is one of a server's: " + tool);
    }
  }
}
