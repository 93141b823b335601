package dev.callbound.gateway.config;

import java.time.LocalDate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a server's tools before anybody configures them. Immutable.
 *
 * @param name its name, as a config names it; for one in a file of its own, the file's path
 * @param source where the list of tools is published
 * @param version the server's version that it was checked against
 * @param checked when that was
 * @param servers the servers that it is for, by the names that they give themselves; may be empty
 * @param statuses how the texts of errors wrap the status of the provider behind a tool; the first
 *     that is found counts
 * @param tools what is said of single tools, by the server's own names
 */
public record Profile(
    String name,
    String source,
    String version,
    LocalDate checked,
    List<Server> servers,
    List<Status> statuses,
    Map<String, CallLayer> tools) {
  /** A status is told early or not at all; a page of text is not searched for one. */
  private static final int LOOKED_AT = 2_000;

  public Profile {
    servers = List.copyOf(servers);
    statuses = List.copyOf(statuses);
    tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
  }

  /**
   * A server, as it introduces itself.
   *
   * @param name {@code serverInfo.name}, exactly
   * @param version what {@code serverInfo.version} must match as a whole; null means any
   */
  public record Server(String name, @Nullable Pattern version) {}

  /**
   * How the text of an error wraps a status.
   *
   * @param text what is found in the text
   * @param status what that means, 400 to 599; null means the number that the first group holds
   */
  public record Status(Pattern text, @Nullable Integer status) {
    public Status {
      if (status == null && text.matcher("").groupCount() == 0) {
        throw new IllegalArgumentException("no status, and no group that holds one: " + text);
      }
    }

    private OptionalInt in(String error) {
      Matcher matcher = text.matcher(error);
      if (!matcher.find()) {
        return OptionalInt.empty();
      }
      if (status != null) {
        return OptionalInt.of(status);
      }
      String digits = matcher.group(1);
      return digits != null && digits.matches("[45]\\d\\d")
          ? OptionalInt.of(Integer.parseInt(digits))
          : OptionalInt.empty();
    }
  }

  /** Whether it is for a server that introduces itself so. */
  public boolean isFor(String serverName, @Nullable String serverVersion) {
    return servers.stream()
        .anyMatch(
            server ->
                server.name().equals(serverName)
                    && (server.version() == null
                        || (serverVersion != null
                            && server.version().matcher(serverVersion).matches())));
  }

  /** The status, 400 to 599, that the text of a tool's error plainly wraps. */
  public OptionalInt statusIn(String text) {
    String begin = text.substring(0, Math.min(text.length(), LOOKED_AT));
    return statuses.stream()
        .map(status -> status.in(begin))
        .filter(OptionalInt::isPresent)
        .findFirst()
        .orElse(OptionalInt.empty());
  }

  /** What is said of a tool; a layer that says nothing where it isn't known. */
  CallLayer tool(String tool) {
    return tools.getOrDefault(tool, CallLayer.silent(Origin.PROFILE));
  }
}
