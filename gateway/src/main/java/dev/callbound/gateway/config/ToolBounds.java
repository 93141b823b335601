package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How the tools of one server are bounded: what each place says, from which what holds for a tool
 * is made. Immutable and thread-safe.
 *
 * <p>What holds is made once for each tool of which anything is said, and once for all others, so
 * that asking at every call costs nothing. Two that say the same are equal.
 */
public final class ToolBounds {
  /** Nothing is said at all. */
  public static final ToolBounds STANDARD =
      new ToolBounds(
          CallLayer.silent(Origin.DEFAULTS),
          CallLayer.silent(Origin.SERVER),
          Map.of(),
          Keys.Run.DEADLINE.required());

  private final CallLayer defaults;
  private final CallLayer server;
  private final Map<String, CallLayer> tools;
  private final Duration run;
  private final Map<Asked, ToolConfig> made = new ConcurrentHashMap<>();

  /**
   * What is asked for.
   *
   * @param tool null for any tool of which nothing is said
   * @param profile the profile's name, which tells it from others; null if there is none
   */
  private record Asked(@Nullable String tool, @Nullable String profile) {}

  /**
   * Bounds that say this.
   *
   * @param defaults what is said of every tool
   * @param server what is said of the server's tools
   * @param tools what is said of single tools, by the server's own names
   * @param run the run's deadline, to which a deadline that nobody wrote gives way
   */
  public ToolBounds(
      CallLayer defaults, CallLayer server, Map<String, CallLayer> tools, Duration run) {
    Positive.check("the run's deadline", run);
    this.defaults = defaults;
    this.server = server;
    this.tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
    this.run = run;
  }

  /** What is said of single tools, by the server's own names. */
  public Map<String, CallLayer> tools() {
    return tools;
  }

  /** What holds for the tool of this name, whether or not anything is said of it. */
  public ToolConfig of(String tool) {
    return of(tool, null);
  }

  /**
   * What holds for the tool of this name, whether or not anything is said of it.
   *
   * @param profile what is known of the server's tools; null if nothing is
   */
  public ToolConfig of(String tool, @Nullable Profile profile) {
    boolean said =
        tools.containsKey(tool) || (profile != null && profile.tools().containsKey(tool));
    Asked asked = new Asked(said ? tool : null, profile == null ? null : profile.name());
    ToolConfig known = made.get(asked);
    return known != null ? known : made.computeIfAbsent(asked, _ -> resolve(tool, profile));
  }

  private ToolConfig resolve(String tool, @Nullable Profile profile) {
    CallLayer own = tools.getOrDefault(tool, CallLayer.silent(Origin.TOOL));
    List<CallLayer> layers =
        profile == null
            ? List.of(own, server, defaults)
            : List.of(own, server, profile.tool(tool), defaults);
    return new CallLayers(layers, run).resolve();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ToolBounds bounds
        && defaults.equals(bounds.defaults)
        && server.equals(bounds.server)
        && tools.equals(bounds.tools)
        && run.equals(bounds.run);
  }

  @Override
  public int hashCode() {
    return Objects.hash(defaults, server, tools, run);
  }

  @Override
  public String toString() {
    return "ToolBounds[" + defaults + ", " + server + ", " + tools + ", run=" + run + "]";
  }
}
