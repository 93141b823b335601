package dev.callbound.gateway.config;

import dev.callbound.policy.Backoff;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the config says, validated and with every default filled in. Immutable, but for
 * the secrets: what is fetched while the process runs is added to them.
 *
 * @param servers the servers that are enabled, by name, in the order of the file
 * @param backoff how long a call waits before it tries again when nobody named a time
 * @param alerts where alerts are posted to; null for nowhere
 * @param expect where expected outputs may be looked for
 * @param settleByModel whether a model may settle an unknown outcome through {@code
 *     callbound_outcome}
 * @param secrets takes every secret value out of a text: those that the config brought in, and
 *     those that were learned since
 * @param warnings what the loader passed over, one sentence each with its place; for the log
 */
public record Config(
    Map<String, ServerConfig> servers,
    RunConfig run,
    Backoff backoff,
    ListenConfig listen,
    JournalConfig journal,
    ServerConfig.@Nullable Http alerts,
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
        servers,
        run,
        backoff,
        otherListen,
        journal,
        alerts,
        expect,
        settleByModel,
        secrets,
        warnings);
  }

  /** The same, with other servers. */
  public Config with(Map<String, ServerConfig> otherServers) {
    return new Config(
        otherServers,
        run,
        backoff,
        listen,
        journal,
        alerts,
        expect,
        settleByModel,
        secrets,
        warnings);
  }

  /** The same, with another journal. */
  public Config with(JournalConfig otherJournal) {
    return new Config(
        servers,
        run,
        backoff,
        listen,
        otherJournal,
        alerts,
        expect,
        settleByModel,
        secrets,
        warnings);
  }
}
