package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the tools of one server are bounded: what each place says, from which what holds for a tool
 * is made. Immutable.
 *
 * @param defaults what is said of every tool
 * @param server what is said of the server's tools
 * @param tools what is said of single tools, by the server's own names
 * @param run the run's deadline, to which a deadline that nobody wrote gives way
 */
public record ToolBounds(
    CallLayer defaults, CallLayer server, Map<String, CallLayer> tools, Duration run) {
  /** Nothing is said at all. */
  public static final ToolBounds STANDARD =
      new ToolBounds(
          CallLayer.silent(Origin.DEFAULTS),
          CallLayer.silent(Origin.SERVER),
          Map.of(),
          Keys.Run.DEADLINE.required());

  public ToolBounds {
    Positive.check("the run's deadline", run);
    tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
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
    CallLayer own = tools.getOrDefault(tool, CallLayer.silent(Origin.TOOL));
    List<CallLayer> layers =
        profile == null
            ? List.of(own, server, defaults)
            : List.of(own, server, profile.tool(tool), defaults);
    return new CallLayers(layers, run).resolve();
  }
}
