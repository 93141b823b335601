package dev.callbound.gateway.cli;

import dev.callbound.gateway.Servers;
import dev.callbound.gateway.bridge.Effects;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.profile.Lint;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.Unattended;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.gateway.upstream.stdio.ProcessLedger;
import dev.callbound.journal.EffectSource;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Connects to every server and looks at its tools. Calls none of them. */
final class Inspector {
  /** For listing the tools, once a server is there. */
  private static final Duration LISTING = Duration.ofSeconds(30);

  private static final int MOST_PAGES = 200;
  private static final int MOST_TOOLS = 20_000;

  /** A page of tools may be large: some servers have hundreds, each with a schema. */
  private static final long LARGEST_PAGE = 32L << 20;

  private final Config config;

  Inspector(Config config) {
    this.config = config;
  }

  /** All servers beside each other, each bounded; in the order of the config. */
  List<Inspected> inspect() throws InterruptedException {
    // No ledger: these processes end with this command, which has no journal of its own.
    List<UpstreamServer> servers = Servers.of(config, ProcessLedger.NONE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Inspected>> tasks = new ArrayList<>();
      servers.forEach(server -> tasks.add(() -> inspect(server, of(server))));
      Duration patience = patience();
      List<Future<Inspected>> results =
          threads.invokeAll(tasks, patience.toMillis(), TimeUnit.MILLISECONDS);
      List<Inspected> inspected = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        inspected.add(result(results.get(i), of(servers.get(i)), patience));
      }
      return inspected;
    } finally {
      Servers.close(servers);
    }
  }

  private ServerConfig of(UpstreamServer server) {
    ServerConfig found = config.servers().get(server.name());
    if (found == null) {
      throw new IllegalStateException("a server that is not in the config: " + server.name());
    }
    return found;
  }

  private Duration patience() {
    return config.servers().values().stream()
        .map(ServerConfig::startTimeout)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO)
        .plus(LISTING);
  }

  private static Inspected result(Future<Inspected> result, ServerConfig server, Duration patience)
      throws InterruptedException {
    try {
      return result.get();
    } catch (CancellationException e) {
      return Inspected.failed(server, null, "no answer within " + Times.length(patience));
    } catch (ExecutionException e) {
      throw new IllegalStateException("looking at " + server.name() + " failed", e.getCause());
    }
  }

  private Inspected inspect(UpstreamServer server, ServerConfig bounds) {
    Unattended exchange = new Unattended(Revision.NEWEST, LARGEST_PAGE);
    return switch (server.introduction(exchange)) {
      case Reply.Failed<Introduction>(Failure failure, _) ->
          Inspected.failed(bounds, null, said("could not be reached", failure, exchange));
      case Reply.Answered<Introduction>(Introduction introduction) ->
          list(server, bounds, introduction, exchange);
    };
  }

  private Inspected list(
      UpstreamServer server, ServerConfig bounds, Introduction introduction, Unattended exchange) {
    if (introduction.capabilities().get("tools") == null) {
      return judged(bounds, introduction, Map.of());
    }
    Map<String, Json> tools = new TreeMap<>();
    Set<String> cursors = new HashSet<>();
    JsonObject params = JsonObject.EMPTY;
    for (int page = 0; page < MOST_PAGES && tools.size() < MOST_TOOLS; page++) {
      switch (server.request("tools/list", params, exchange)) {
        case Reply.Failed<Json>(Failure failure, _) -> {
          return Inspected.failed(
              bounds, introduction, said("its tools could not be listed", failure, exchange));
        }
        case Reply.Answered<Json>(Json result) -> {
          Json found = result.at("tools");
          for (Json tool : found == null ? List.<Json>of() : found.elements()) {
            String name = tool.textAt("name");
            if (name != null) {
              tools.putIfAbsent(name, tool);
            }
          }
          @Nullable String cursor = result.textAt("nextCursor");
          if (cursor == null || cursor.isEmpty() || !cursors.add(cursor)) {
            return judged(bounds, introduction, tools);
          }
          params = JsonObject.of("cursor", Json.text(cursor));
        }
      }
    }
    return judged(bounds, introduction, tools);
  }

  private String said(String what, Failure failure, Unattended exchange) {
    StringBuilder said = new StringBuilder(what).append(": ").append(failure.detail());
    exchange.notes().forEach(note -> said.append('\n').append(note));
    // The servers take out what they can; this is the last door before the screen.
    return config.secrets().redact(said.toString());
  }

  private static Inspected judged(
      ServerConfig bounds, Introduction introduction, Map<String, Json> listed) {
    Json info = introduction.serverInfo();
    Profile profile = bounds.profileFor(info.textAt("name"), info.textAt("version")).orElse(null);
    List<Inspected.Tool> tools = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    listed.forEach(
        (name, json) -> {
          ToolConfig tool = bounds.tool(name, profile);
          Effects.Decided effect = Effects.of(name, tool, bounds.annotations(), json);
          tools.add(new Inspected.Tool(name, json, effect, tool));
          if (effect.source() == EffectSource.NAME) {
            warnings.add(
                name
                    + " is annotated as read-only, but its name says that it writes: it is taken to"
                    + " write; set its effect in the config to settle it");
          }
        });
    List<String> errors = new ArrayList<>(unknown(bounds, listed));
    errors.addAll(Lint.of(known(tools)));
    if (listed.isEmpty()) {
      warnings.add("it offers no tools");
    }
    return new Inspected(bounds, introduction, profile, tools, errors, warnings);
  }

  private static Map<String, Lint.Known> known(List<Inspected.Tool> tools) {
    Map<String, Lint.Known> known = new TreeMap<>();
    tools.forEach(
        tool ->
            known.put(
                tool.name(), new Lint.Known(tool.listed(), tool.effect().effect(), tool.bounds())));
    return known;
  }

  private static List<String> unknown(ServerConfig bounds, Map<String, Json> listed) {
    List<String> errors = new ArrayList<>();
    for (String name : bounds.tools().tools().keySet()) {
      if (!listed.containsKey(name)) {
        errors.add(
            "the config bounds a tool named %s, which the server does not have; it has %s"
                .formatted(name, listed.isEmpty() ? "none" : near(listed)));
      }
    }
    return errors;
  }

  private static String near(Map<String, Json> listed) {
    int most = 8;
    String some = String.join(", ", new TreeSet<>(listed.keySet()).stream().limit(most).toList());
    return listed.size() > most ? some + " and " + (listed.size() - most) + " more" : some;
  }
}
