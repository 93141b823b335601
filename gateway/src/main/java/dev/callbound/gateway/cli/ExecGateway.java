package dev.callbound.gateway.cli;

import dev.callbound.gateway.Gateway;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ListenConfig;
import dev.callbound.gateway.door.http.CannotListenException;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The gateway that a command is executed with: the one that serves the journal already, else one in
 * this process that ends with the command.
 *
 * @param url the address of its MCP endpoint
 * @param token what lets one in; null where nothing is needed
 * @param journal where it keeps its record
 * @param own the one in this process; null for one that was found
 */
record ExecGateway(URI url, @Nullable String token, Path journal, @Nullable Gateway own)
    implements AutoCloseable {
  /** A token of the user's own, before those that the config lists. */
  static final String TOKEN = "CALLBOUND_TOKEN";

  /**
   * Finds one, or starts one.
   *
   * @param oneJournal whether no other journal will do: else one that is in use by a gateway that
   *     can't be shared makes room for the next beside it
   */
  static ExecGateway of(Config config, boolean oneJournal) throws CannotListenException {
    String token = token(config.listen());
    Config own = config.with(config.listen().onFreePort());
    int most = oneJournal ? 1 : JournalFiles.MOST;
    for (int number = 1; ; number++) {
      Path file = JournalFiles.numbered(config.journal().file(), number);
      try {
        Gateway started = Gateway.start(own.with(config.journal().in(file)));
        return new ExecGateway(started.url(), token, file, started);
      } catch (JournalException e) {
        if (e.kind() != JournalException.Kind.IN_USE) {
          throw e;
        }
        Optional<String> serving = SqliteJournal.announced(file);
        if (serving.isPresent()) {
          return new ExecGateway(URI.create(serving.get()), token, file, null);
        }
        if (number >= most) {
          throw e;
        }
      }
    }
  }

  private static @Nullable String token(ListenConfig listen) {
    String told = System.getenv(TOKEN);
    if (told != null && !told.isBlank()) {
      return told;
    }
    List<ListenConfig.Token> tokens = listen.tokens();
    return tokens.isEmpty() ? null : tokens.getFirst().token().reveal();
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
