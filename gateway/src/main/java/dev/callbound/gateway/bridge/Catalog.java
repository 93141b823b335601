package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tools of all servers: what a client sees of them, and which one it means. Thread-safe. */
final class Catalog {
  /** What a client means by a tool's name. */
  sealed interface Found {
    /**
     * A tool of a server.
     *
     * @param listed null where the server's tools can't be listed now
     */
    record At(ServerTools server, String tool, ServerTools.@Nullable Tool listed)
        implements Found {}

    /** No tool, or more than one; the message says what can be done. */
    record Missing(String message) implements Found {}
  }

  private final Map<String, ServerTools> servers;
  private final ToolNames names;

  /**
   * A catalog of these servers.
   *
   * @param servers by name, in the order of the configuration
   */
  Catalog(Collection<ServerTools> servers, ToolNames names) {
    this.servers = new LinkedHashMap<>();
    servers.forEach(server -> this.servers.put(server.config().name(), server));
    this.names = names;
  }

  /** The tools of a server; null when it is not configured. */
  @Nullable ServerTools server(String name) {
    return servers.get(name);
  }

  /** The servers that an endpoint is for, in the order of the configuration. */
  List<ServerTools> at(@Nullable String endpoint) {
    ServerTools one = endpoint == null ? null : servers.get(endpoint);
    return one == null ? List.copyOf(servers.values()) : List.of(one);
  }

  /**
   * What was listed, and the first failure where nothing was.
   *
   * @param stale the servers that could not be listed now, with the time of the list that stands in
   *     for that
   */
  record Shown(List<Json> tools, Map<String, Instant> stale, @Nullable RpcError failure) {}

  /** The tools as a client of the endpoint sees them, listed afresh on its behalf. */
  Shown shown(@Nullable String endpoint, Exchange.Caller caller) {
    List<ServerTools> shown = at(endpoint);
    together(shown, server -> server.fresh(caller));
    List<Json> tools = new ArrayList<>();
    Map<String, Instant> stale = new LinkedHashMap<>();
    RpcError failure = null;
    for (ServerTools server : shown) {
      failure = failure == null ? server.failure() : failure;
      Instant since = server.staleSince();
      if (since != null) {
        stale.put(server.config().name(), since);
      }
      for (ServerTools.Tool tool : server.known(caller).values()) {
        Json item = endpoint == null ? exposed(server, tool) : tool.shown();
        Json offered = caller.revision() == Revision.V2025_11_25 ? withTasks(item) : item;
        tools.add(since == null ? offered : Stale.marked(offered, since));
      }
    }
    return new Shown(tools, stale, tools.isEmpty() ? failure : null);
  }

  /** Of any tool a client may have a task made, and of none it must (MCP 2025-11-25, tasks). */
  private static Json withTasks(Json tool) {
    JsonObject members = tool.asObject().orElseThrow();
    JsonObject execution = members.object("execution").with("taskSupport", Json.text("optional"));
    return members.with("execution", execution).toJson();
  }

  private Json exposed(ServerTools server, ServerTools.Tool tool) {
    String name = names.exposed(server.config().name(), tool.name());
    return name.equals(tool.name())
        ? tool.shown()
        : tool.shown().asObject().orElseThrow().with("name", Json.text(name)).toJson();
  }

  /** Which tool a client of the endpoint means by a name. */
  Found tool(@Nullable String endpoint, String name, Exchange.Caller caller) {
    ServerTools one = endpoint == null ? null : servers.get(endpoint);
    if (one != null) {
      return at(one, name, caller);
    }
    if (servers.size() == 1) {
      ServerTools only = servers.values().iterator().next();
      // There is only one that it can be of, whether or not its tools can be listed now.
      if (only.tool(name, caller) != null
          || names.meaning(name) instanceof ToolNames.Meaning.Nothing) {
        return at(only, name, caller);
      }
    }
    ToolNames.Meaning meaning = names.meaning(name);
    boolean qualified =
        meaning instanceof ToolNames.Meaning.Tool(_, String tool) && !tool.equals(name);
    if (!qualified) {
      // A name stands for one tool only where it is known what the others offer.
      together(
          servers.values().stream().filter(ServerTools::neverTried).toList(),
          server -> server.known(caller));
      meaning = names.meaning(name);
    }
    if (meaning instanceof ToolNames.Meaning.Nothing) {
      together(List.copyOf(servers.values()), server -> server.fresh(caller));
      meaning = names.meaning(name);
    }
    return switch (meaning) {
      case ToolNames.Meaning.Tool(String server, String tool) ->
          at(Objects.requireNonNull(servers.get(server)), tool, caller);
      case ToolNames.Meaning.Ambiguous(List<String> candidates) ->
          new Found.Missing(
              "Ambiguous tool: "
                  + name
                  + " is offered by several servers; call one of "
                  + String.join(", ", candidates));
      case ToolNames.Meaning.Nothing _ -> unheardOf(name);
    };
  }

  /** No server that could be listed has it; one that could not be may have it all the same. */
  private Found unheardOf(String name) {
    Map<String, String> silent = new LinkedHashMap<>();
    for (ServerTools server : servers.values()) {
      RpcError failure = server.failure();
      if (failure != null) {
        silent.put(server.config().name(), failure.message());
      }
    }
    StringBuilder message = new StringBuilder("Unknown tool: ").append(name);
    silent.forEach(
        (server, why) ->
            message
                .append("; the tools of ")
                .append(server)
                .append(" could not be listed: ")
                .append(why));
    return new Found.Missing(message.toString());
  }

  private static Found at(ServerTools server, String tool, Exchange.Caller caller) {
    ServerTools.Tool listed = server.tool(tool, caller);
    if (listed == null && server.failure() == null) {
      listed = server.freshTool(tool, caller);
    }
    return listed == null && server.failure() == null
        ? new Found.Missing(
            "Unknown tool: server " + server.config().name() + " has no tool " + tool)
        : new Found.At(server, tool, listed);
  }

  /** Does something with each at the same time; one that is slow holds up only the end. */
  private static void together(List<ServerTools> servers, Consumer<ServerTools> action) {
    if (servers.size() == 1) {
      action.accept(servers.getFirst());
      return;
    }
    List<Thread> threads =
        servers.stream()
            .map(server -> Thread.ofVirtual().name("list").start(() -> action.accept(server)))
            .toList();
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        // Each ends by its own deadline; what is listed by then is of use to others.
        interrupted = true;
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
