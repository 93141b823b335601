package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What is remembered, beyond this process, of the tools of one server. */
interface KnownTools {
  /** Nothing is. */
  KnownTools NOTHING =
      new KnownTools() {
        @Override
        public void listed(Collection<String> names, List<Json> tools, Instant at) {}

        @Override
        public Optional<Listed> last() {
          return Optional.empty();
        }
      };

  /**
   * The tools of a server, as it listed them.
   *
   * @param at when it did
   */
  record Listed(List<Json> tools, Instant at) {}

  /** The server has listed these. */
  void listed(Collection<String> names, List<Json> tools, Instant at);

  /** What it listed last, as far as that is known. */
  Optional<Listed> last();
}
