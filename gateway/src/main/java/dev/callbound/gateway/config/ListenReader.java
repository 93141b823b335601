package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the HTTP door.
 *
 * @param reader the mapping under {@code listen}
 */
record ListenReader(MappingReader reader) {
  /** The door; null if it can't be made, which is reported. */
  @Nullable ListenConfig read() {
    ListenAddress address = reader.value(Keys.Listen.ADDRESS);
    List<ListenConfig.Token> tokens = tokens();
    if (!address.isLoopback() && !reader.has(Keys.Listen.TOKENS)) {
      reader.problem(
          Keys.Listen.ADDRESS, "'" + address + "' " + ListenConfig.OPEN, ListenConfig.CLOSE_IT);
    }
    if (address.isAny() && !reader.has(Keys.Listen.ALLOWED_HOSTS)) {
      reader.warning(
          Keys.Listen.ADDRESS,
          "only requests to localhost are answered; list the names of this machine in"
              + " listen.allowed_hosts");
    }
    List<String> origins = reader.values(Keys.Listen.ALLOWED_ORIGINS);
    List<String> hosts = reader.values(Keys.Listen.ALLOWED_HOSTS);
    int maxRequest = reader.value(Keys.Listen.MAX_REQUEST);
    int maxHeader = reader.value(Keys.Listen.MAX_HEADER);
    int maxConnections = reader.value(Keys.Listen.MAX_CONNECTIONS);
    int maxCalls = reader.value(Keys.Listen.MAX_CALLS);
    var shutdownGrace = reader.value(Keys.Listen.SHUTDOWN_GRACE);
    if (tokens.isEmpty() && !address.isLoopback()) {
      return null;
    }
    return new ListenConfig(
        address,
        origins,
        hosts,
        maxRequest,
        maxHeader,
        maxConnections,
        maxCalls,
        shutdownGrace,
        tokens);
  }

  private List<ListenConfig.Token> tokens() {
    List<ListenConfig.Token> tokens = new ArrayList<>();
    Set<Secret> known = new HashSet<>();
    List<MappingReader> entries = reader.entries(Keys.Listen.TOKENS);
    if (reader.has(Keys.Listen.TOKENS) && entries.isEmpty()) {
      // Nobody may come in by an empty list, and it must not mean that everybody may.
      reader.problem(Keys.Listen.TOKENS, "lists no token", "list one, or leave the key out");
    }
    for (MappingReader entry : entries) {
      String principal = entry.written(Keys.Token.PRINCIPAL);
      Secret token = entry.secret(Keys.Token.TOKEN);
      if (!entry.has(Keys.Token.PRINCIPAL)) {
        entry.problem("has no principal", "name the client that holds the token");
      }
      if (!entry.has(Keys.Token.TOKEN)) {
        entry.problem("has no token", "write token: ${NAME_OF_A_VARIABLE}");
      }
      if (token == null) {
        continue;
      }
      if (token.reveal().strip().length() < Keys.Token.SHORTEST) {
        entry.problem(
            Keys.Token.TOKEN,
            "is shorter than " + Keys.Token.SHORTEST + " characters",
            "make one with: openssl rand -hex 32");
      } else if (!known.add(token)) {
        entry.problem(
            Keys.Token.TOKEN, "is the same as another", "give every client a token of its own");
      } else if (principal != null) {
        tokens.add(new ListenConfig.Token(principal, token));
      }
    }
    return tokens;
  }
}
