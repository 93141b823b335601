package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How the gateway introduces itself: as its one server where an endpoint has but one, else as
 * itself with all that its servers can do together.
 */
final class Welcome {
  /** A server that takes longer to start must not keep its neighbours from being used. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Json OURSELVES =
      JsonObject.of("name", Json.text("callbound"))
          .with("title", Json.text("Callbound"))
          .with("version", Json.text(Version.TEXT))
          .toJson();

  /** What is promised while no server has said what it can do. */
  private static final JsonObject TOOLS_ONLY =
      JsonObject.of("tools", JsonObject.of("listChanged", Json.TRUE).toJson());

  /** What a client may do with tasks (MCP 2025-11-25). */
  private static final Json TASKS =
      Json.of("{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}");

  private Welcome() {}

  /** The result of {@code initialize} (MCP up to 2025-11-25). */
  static Json initialize(List<ServerTools> servers, Exchange.Caller caller) {
    List<Introduction> introductions = introductions(servers, caller);
    JsonObject result =
        JsonObject.of("protocolVersion", Json.text(caller.revision().date()))
            .with("capabilities", capabilities(introductions, caller.revision()))
            .with("serverInfo", info(servers, introductions));
    return withInstructions(result, introductions).toJson();
  }

  /** The result of {@code server/discover} (MCP 2026-07-28). */
  static Json discover(List<ServerTools> servers, Exchange.Caller caller) {
    List<Introduction> introductions = introductions(servers, caller);
    JsonObject result =
        JsonObject.of("resultType", Json.text("complete"))
            .with("supportedVersions", Json.array(revisions()))
            .with("capabilities", capabilities(introductions, Revision.V2026_07_28))
            .with(
                "_meta",
                JsonObject.of("io.modelcontextprotocol/serverInfo", info(servers, introductions)))
            .with("ttlMs", Json.number(0))
            .with("cacheScope", Json.text("private"));
    return withInstructions(result, introductions).toJson();
  }

  private static List<Json> revisions() {
    return Arrays.stream(Revision.values())
        .sorted(Comparator.reverseOrder())
        .map(revision -> Json.text(revision.date()))
        .toList();
  }

  private static Json info(List<ServerTools> servers, List<Introduction> introductions) {
    return servers.size() == 1 && introductions.size() == 1
        ? introductions.getFirst().serverInfo()
        : OURSELVES;
  }

  private static JsonObject withInstructions(JsonObject result, List<Introduction> introductions) {
    List<String> all =
        introductions.stream()
            .map(Introduction::instructions)
            .filter(text -> text != null && !text.isBlank())
            .toList();
    return all.isEmpty()
        ? result
        : result.with("instructions", Json.text(String.join("\n\n", all)));
  }

  /** What the servers can do together. Tasks are the gateway's own, whatever a server has. */
  private static JsonObject capabilities(List<Introduction> introductions, Revision revision) {
    JsonObject together = introductions.isEmpty() ? TOOLS_ONLY : JsonObject.EMPTY;
    for (Introduction introduction : introductions) {
      for (Map.Entry<String, Json> offered :
          introduction.capabilities().without("tasks").members().entrySet()) {
        Json value = withoutTasks(offered.getKey(), offered.getValue());
        Json before = together.get(offered.getKey());
        together = together.with(offered.getKey(), before == null ? value : union(before, value));
      }
    }
    if (!revision.hasSessions()) {
      return together.with(
          "extensions", together.object("extensions").with(Dialect.TASKS, JsonObject.EMPTY));
    }
    return revision == Revision.V2025_11_25 ? together.with("tasks", TASKS) : together;
  }

  private static Json withoutTasks(String capability, Json value) {
    return capability.equals("extensions")
        ? value
            .asObject()
            .map(extensions -> extensions.without(Dialect.TASKS).toJson())
            .orElse(value)
        : value;
  }

  private static Json union(Json one, Json other) {
    if (!one.isObject() || !other.isObject()) {
      return other;
    }
    JsonObject joined = one.asObject().orElseThrow();
    for (Map.Entry<String, Json> member : other.asObject().orElseThrow().members().entrySet()) {
      Json before = joined.get(member.getKey());
      if (before == null || !before.isTrue()) {
        joined = joined.with(member.getKey(), member.getValue());
      }
    }
    return joined.toJson();
  }

  private static List<Introduction> introductions(
      List<ServerTools> servers, Exchange.Caller caller) {
    Map<ServerTools, CompletableFuture<@Nullable Introduction>> coming = new LinkedHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (ServerTools server : servers) {
      CompletableFuture<@Nullable Introduction> introduction = new CompletableFuture<>();
      coming.put(server, introduction);
      threads.add(
          Thread.ofVirtual()
              .name("introduce")
              .start(() -> introduction.complete(introduce(server, caller))));
    }
    long until = System.nanoTime() + PATIENCE.toNanos();
    List<Introduction> introductions = new ArrayList<>();
    for (CompletableFuture<@Nullable Introduction> each : coming.values()) {
      Introduction introduction = await(each, until - System.nanoTime());
      if (introduction != null) {
        introductions.add(introduction);
      }
    }
    threads.forEach(Thread::interrupt);
    return introductions;
  }

  private static @Nullable Introduction introduce(ServerTools server, Exchange.Caller caller) {
    return switch (server.introduction(caller)) {
      case Reply.Answered<Introduction>(Introduction introduction) -> introduction;
      case Reply.Failed<Introduction> failed -> {
        System.getLogger(Welcome.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "server={0} reachable=no {1}",
                server.config().name(),
                failed.failure().detail());
        yield null;
      }
    };
  }

  private static @Nullable Introduction await(
      CompletableFuture<@Nullable Introduction> coming, long nanos) {
    try {
      return coming.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException _) {
      return null;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
