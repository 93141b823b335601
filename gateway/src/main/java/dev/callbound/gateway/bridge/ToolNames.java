package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Prefix;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names that tools go by at the door that all servers share.
 *
 * <p>A tool keeps its name unless another configured server offers, or has ever offered, a tool
 * whose name is the same once it has been cleaned up as clients do it; then each of them is {@code
 * server__tool}. So is a tool whose own name begins with the name of a configured server and two
 * underscores: it would be taken for one of that server's. So a name depends on the configuration
 * and on what has ever been seen, never on which server is up, or came up first. Thread-safe.
 */
final class ToolNames {
  static final String SEPARATOR = "__";

  /** The longest name that common clients take. */
  private static final int LONGEST = 64;

  private static final int HASH_DIGITS = 8;
  private static final Pattern UNCLEAN = Pattern.compile("[^A-Za-z0-9_-]");

  /** What a name at the door stands for. */
  sealed interface Meaning {
    /** One tool of one server. */
    record Tool(String server, String tool) implements Meaning {}

    /** Several; the caller must say which. */
    record Ambiguous(List<String> candidates) implements Meaning {}

    /** Nothing that has ever been seen. */
    record Nothing() implements Meaning {}
  }

  private final Map<String, Prefix> servers;
  private final Map<String, Set<String>> seen = new ConcurrentHashMap<>();

  /**
   * Names for these servers.
   *
   * @param servers in the order of the configuration, with when their tools carry their name
   * @param seen the tools that each has ever offered, as far as is known
   */
  ToolNames(Map<String, Prefix> servers, Map<String, Set<String>> seen) {
    this.servers = new LinkedHashMap<>(servers);
    servers.keySet().forEach(server -> this.seen.put(server, ConcurrentHashMap.newKeySet()));
    seen.forEach(this::see);
  }

  /** Takes note of tools that a server offers; returns those that are new. */
  List<String> see(String server, Collection<String> tools) {
    Set<String> known = seen.get(server);
    return known == null ? List.of() : tools.stream().filter(known::add).toList();
  }

  /** The name of a server's tool at the shared door. */
  String exposed(String server, String tool) {
    boolean qualified =
        servers.get(server) == Prefix.ALWAYS
            || looksQualified(tool)
            || others(server, cleaned(tool));
    return qualified ? qualified(server, tool) : tool;
  }

  /** Whether a tool's own name could be taken for the qualified name of another. */
  private boolean looksQualified(String tool) {
    int at = tool.indexOf(SEPARATOR);
    return servers.size() > 1 && at > 0 && servers.containsKey(tool.substring(0, at));
  }

  /** What a name at the shared door stands for. A qualified name always stands for its tool. */
  Meaning meaning(String name) {
    List<Meaning.Tool> named =
        servers.keySet().stream()
            .flatMap(
                server ->
                    seenAt(server).stream()
                        .filter(tool -> tool.equals(name) || qualified(server, tool).equals(name))
                        .map(tool -> new Meaning.Tool(server, tool)))
            .toList();
    List<Meaning.Tool> exact =
        named.stream().filter(tool -> exposed(tool.server(), tool.tool()).equals(name)).toList();
    if (exact.size() == 1) {
      return exact.getFirst();
    }
    return switch (named.size()) {
      case 0 -> unseen(name);
      case 1 -> named.getFirst();
      default ->
          new Meaning.Ambiguous(
              named.stream().map(tool -> qualified(tool.server(), tool.tool())).toList());
    };
  }

  /** A qualified name of a tool that was never listed is taken at its word. */
  private Meaning unseen(String name) {
    int at = name.indexOf(SEPARATOR);
    @Nullable String server = at < 1 ? null : name.substring(0, at);
    return server != null && servers.containsKey(server) && at + 2 < name.length()
        ? new Meaning.Tool(server, name.substring(at + 2))
        : new Meaning.Nothing();
  }

  private boolean others(String server, String cleaned) {
    return servers.keySet().stream()
        .filter(other -> !other.equals(server))
        .anyMatch(other -> seenAt(other).stream().anyMatch(tool -> cleaned(tool).equals(cleaned)));
  }

  private Set<String> seenAt(String server) {
    return seen.getOrDefault(server, Set.of());
  }

  private static String qualified(String server, String tool) {
    String whole = server + SEPARATOR + tool;
    if (whole.length() <= LONGEST) {
      return whole;
    }
    int kept = LONGEST - HASH_DIGITS - 1;
    return whole.substring(0, kept) + "_" + hash(whole);
  }

  /** As clients make a name fit: other characters become an underscore, and 64 are kept. */
  private static String cleaned(String tool) {
    String clean = UNCLEAN.matcher(tool).replaceAll("_");
    return clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_DIGITS / 2);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
