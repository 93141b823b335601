package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.ToolList;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one server as the journal remembers them: the names that it ever offered, so that
 * they keep their meaning, and what it listed last, for when it can't be reached. A journal that
 * can't be written costs only the memory. Used by one thread at a time.
 */
final class JournaledTools implements KnownTools {
  private static final System.Logger LOG = System.getLogger(JournaledTools.class.getName());

  /** A longer list is not remembered. */
  private static final int LONGEST = 8 << 20;

  /** The same list is written again after so long, for its time. */
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  private final String server;
  private final JournalStore journal;
  private final ToolNames names;
  private @Nullable ToolList written;

  JournaledTools(String server, JournalStore journal, ToolNames names) {
    this.server = server;
    this.journal = journal;
    this.names = names;
  }

  @Override
  public void listed(Collection<String> offered, List<Json> tools, Instant at) {
    try {
      List<String> unseen = names.see(server, offered);
      if (!unseen.isEmpty()) {
        journal.rememberTools(server, unseen);
      }
      remember(Json.array(tools), at);
    } catch (JournalException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "server={0} tools_remembered=no {1}",
          server,
          e.getMessage());
    }
  }

  private void remember(Json tools, Instant at) {
    if (tools.length() > LONGEST) {
      return;
    }
    ToolList list = new ToolList(server, at, tools.toString());
    ToolList last = written;
    if (last == null
        || !last.tools().equals(list.tools())
        || last.listedAt().plus(BETWEEN).isBefore(at)) {
      journal.servers().listed(list);
      written = list;
    }
  }

  @Override
  public Optional<Listed> last() {
    try {
      return journal.servers().toolList(server).map(JournaledTools::read);
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.WARNING, "server={0} tools_known=no {1}", server, e.getMessage());
      return Optional.empty();
    }
  }

  private static Listed read(ToolList list) {
    try {
      Json tools = Json.parse(list.tools().getBytes(StandardCharsets.UTF_8));
      return new Listed(tools.elements(), list.listedAt());
    } catch (MalformedMessageException _) {
      // A journal that was edited by hand.
      return new Listed(List.of(), list.listedAt());
    }
  }
}
