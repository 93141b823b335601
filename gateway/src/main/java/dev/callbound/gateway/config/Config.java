package dev.callbound.gateway.config;

import dev.callbound.policy.Backoff;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that the config says, validated and with every default filled in. Immutable.
 *
 * @param servers the servers that are enabled, by name, in the order of the file
 * @param backoff how long a call waits before it tries again when nobody named a time
 * @param expect where expected outputs may be looked for
 * @param settleByModel whether a model may settle an unknown outcome through {@code
 *     callbound_outcome}
 * @param secrets takes every secret value that the config brought in out of a text
 * @param warnings what the loader passed over, one sentence each with its place; for the log
 */
public record Config(
    Map<String, ServerConfig> servers,
    RunConfig run,
    Backoff backoff,
    ListenConfig listen,
    JournalConfig journal,
    ExpectConfig expect,
    boolean settleByModel,
    Secrets secrets,
    List<String> warnings) {
  public Config {
    servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
    warnings = List.copyOf(warnings);
    servers.forEach(
        (name, server) -> {
          if (!server.name().equals(name)) {
            throw new IllegalArgumentException(
                "server " + server.name() + " must not be listed as " + name);
          }
        });
  }

  /** The same, with another door. */
  public Config with(ListenConfig otherListen) {
    return new Config(
        servers, run, backoff, otherListen, journal, expect, settleByModel, secrets, warnings);
  }

  /** The same, with other servers. */
  public Config with(Map<String, ServerConfig> otherServers) {
    return new Config(
        otherServers, run, backoff, listen, journal, expect, settleByModel, secrets, warnings);
  }

  /** The same, with another journal. */
  public Config with(JournalConfig otherJournal) {
    return new Config(
        servers, run, backoff, listen, otherJournal, expect, settleByModel, secrets, warnings);
  }
}
