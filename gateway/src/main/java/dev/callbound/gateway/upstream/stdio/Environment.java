package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.Secret;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The environment of a server's process: what a program needs to find its way, and what the config
 * adds. The rest of ours, tokens among it, is none of its business (MCP's own SDKs do the same).
 */
final class Environment {
  /** Who and where one is, how text is written, and how the network is reached. */
  private static final Set<String> INHERITED =
      Set.of(
          "HOME",
          "LOGNAME",
          "USER",
          "SHELL",
          "PATH",
          "TERM",
          "TZ",
          "LANG",
          "LANGUAGE",
          "TMPDIR",
          "JAVA_HOME",
          "HTTP_PROXY",
          "HTTPS_PROXY",
          "ALL_PROXY",
          "NO_PROXY",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "NODE_EXTRA_CA_CERTS",
          "REQUESTS_CA_BUNDLE",
          // What Windows programs can't do without.
          "APPDATA",
          "COMSPEC",
          "HOMEDRIVE",
          "HOMEPATH",
          "LOCALAPPDATA",
          "PATHEXT",
          "PROCESSOR_ARCHITECTURE",
          "PROGRAMDATA",
          "PROGRAMFILES",
          "SYSTEMDRIVE",
          "SYSTEMROOT",
          "TEMP",
          "TMP",
          "USERNAME",
          "USERPROFILE");

  /** Set for every process of ours, and so for all that these start: they can be told by it. */
  static final String MARK = "CALLBOUND_SERVER_PROCESS";

  private Environment() {}

  /**
   * The environment of a child.
   *
   * @param ours the environment of this process
   * @param added what the config adds; it wins
   */
  static Map<String, String> of(Map<String, String> ours, Map<String, Secret> added) {
    Map<String, String> environment = new LinkedHashMap<>();
    ours.forEach(
        (name, value) -> {
          if (isInherited(name)) {
            environment.put(name, value);
          }
        });
    added.forEach((name, value) -> environment.put(name, value.reveal()));
    environment.put(MARK, "1");
    return environment;
  }

  private static boolean isInherited(String name) {
    // Proxies are named in lower case too, and Windows writes Path.
    String upper = name.toUpperCase(Locale.ROOT);
    return INHERITED.contains(upper) || upper.startsWith("LC_") || upper.startsWith("XDG_");
  }
}
